/** How many heavy questions a page sends at once. The server serves four per project, for all its users. */
const atOnce = 3;
const waiting: (() => void)[] = [];
let running = 0;

/** Whether a call asks ClickHouse a question of its own. */
export function isHeavy(name: string): boolean {
  return name.startsWith('POST /v1/analyses/') || name === 'POST /v1/query';
}

/** Whether the answer of a call is about stored events. */
export function readsEvents(name: string): boolean {
  return isHeavy(name) || /^GET \/v1\/event-types\/{name}\/(members|samples)$/.test(name);
}

/** Runs the work when fewer than three others run. Rejects without running it if the signal is aborted before. */
export async function withQueryPermit<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
