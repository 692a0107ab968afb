import { readFileSync } from 'node:fs';

/**
 * Preloaded into an app: the system clock of that process jumps by the milliseconds in a file. Timers
 * are unchanged, since they follow a monotonic clock.
 */
const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const SystemDate = Date;
let shiftMs = 0;

const now = () => SystemDate.now() + shiftMs;
globalThis.Date = new Proxy(SystemDate, {
  get: (date, member, receiver) => (member === 'now' ? now : Reflect.get(date, member, receiver)),
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target),
});
setInterval(readShift, 100).unref();

function readShift(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // It is being written.
  }
}
