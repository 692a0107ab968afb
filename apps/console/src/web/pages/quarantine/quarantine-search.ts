import type { SearchSchemaInput } from '@tanstack/react-router';

export interface QuarantineSearch {
  readonly kind?: 'rejected' | 'dead' | undefined;
  readonly type?: string | undefined;
  readonly reason?: string | undefined;
  readonly entry?: string | undefined;
}

/** Which entries: the filter of the calls. */
export interface QuarantineFilter {
  readonly kind?: 'rejected' | 'dead';
  readonly type?: string;
  readonly reason?: string;
}

export function readQuarantineSearch(search: QuarantineSearch & SearchSchemaInput): QuarantineSearch {
  const { kind, type, reason, entry } = search;
  return {
    kind: kind === 'rejected' || kind === 'dead' ? kind : undefined,
    type: textOr(type),
    reason: textOr(reason),
    entry: textOr(entry),
  };
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined;
}
