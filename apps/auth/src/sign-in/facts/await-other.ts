import { setTimeout } from 'node:timers/promises';
import type { TokenVerdict } from '../../providers/provider.ts';

/** As long in total as the timeout of a platform. No connection is used in between. */
const pausesMs = [25, 50, 100, 200, ...Array.from({ length: 19 }, () => 400)];

/**
 * The verdict of another process that shows the same token to its platform; null if there is none and the caller must
 * ask by itself.
 */
export async function awaitOther(
  isClaimed: () => Promise<boolean>,
  recall: () => Promise<TokenVerdict | null>,
): Promise<TokenVerdict | null> {
  for (const pauseMs of pausesMs) {
    const isUnderWay = await isClaimed();
    const found = await recall();
    if (found || !isUnderWay) return found;
    await setTimeout(pauseMs);
  }
  return { status: 'unavailable', retryAfterSeconds: 1, detail: 'there was no verdict in time' };
}
