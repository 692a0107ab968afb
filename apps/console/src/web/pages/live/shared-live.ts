import { Problem, type ProblemParts } from '../../api/problem.ts';
import { followLive, type LiveOptions, type LivePlace, type LiveStatus } from './open-live.ts';

type Told =
  | { readonly kind: 'frame'; readonly status: LiveStatus; readonly lastId: string | null }
  | { readonly kind: 'problem'; readonly problem: ProblemParts }
  /** A tab that has just opened, and has no status yet. */
  | { readonly kind: 'opened' };

/**
 * Follows a stream with other tabs of this browser: tabs with the same project and filters share one connection. The tab that
 * holds the lock reads it and sends its frames to the others. When it closes, the next one continues at the last frame.
 */
export async function followShared(options: Omit<LiveOptions, 'place'>): Promise<void> {
  const { projectId, query, signal, onFrame, onProblem } = options;
  const name = `tickrate live ${projectId} ${JSON.stringify(Object.entries(query).toSorted())}`;
  const place: LivePlace = { lastId: null };
  // Browsers have locks only at https and at localhost.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return followLive({ ...options, place });
  const channel = new BroadcastChannel(name);
  const tell = (told: Told) => channel.postMessage(told);
  let latest: LiveStatus | null = null;
  let isReading = false;
  channel.addEventListener('message', ({ data: told }: MessageEvent<Told>) => {
    if (told.kind === 'opened') {
      if (isReading && latest !== null) tell({ kind: 'frame', status: quiet(latest), lastId: place.lastId });
      return;
    }
    if (told.kind === 'problem') return onProblem(new Problem(told.problem));
    place.lastId = told.lastId;
    onFrame(told.status);
  });
  const read = async () => {
    isReading = true;
    await followLive({
      ...options,
      place,
      onFrame: (status) => {
        latest = status;
        onFrame(status);
        tell({ kind: 'frame', status, lastId: place.lastId });
      },
      onProblem: (problem) => {
        onProblem(problem);
        if (problem !== null) tell({ kind: 'problem', problem: partsOf(problem) });
      },
    });
  };
  tell({ kind: 'opened' });
  try {
    await locks.request(name, { signal }, read);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    channel.close();
  }
}

/** What a frame says without what it brought: the new tab did not miss that. */
function quiet(status: LiveStatus): LiveStatus {
  return { ...status, events: [], skipped: 0, unread: 0 };
}

/** A message between tabs copies an object without its class. */
function partsOf({ reason, status, code, message, fields, data }: Problem): ProblemParts {
  return { reason, status, code, message, fields, data };
}
