import type { PresentedToken } from '../../providers/provider.ts';

/** The same for the same token with all its members. */
export function nameOfToken({ provider, fields }: PresentedToken): string {
  return JSON.stringify([provider, Object.entries(fields).toSorted()]);
}
