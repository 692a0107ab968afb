import type { Decision, RawAnswer } from './answer.ts';
import type { Tell } from './parts.ts';

/** Tells the developer what an answer shows to be wrong, and what to do. */
export function adviseOn(
  { status, date }: RawAnswer,
  { action, code, body }: Decision,
  { nowMs, tell }: { nowMs: number; tell: Tell },
): void {
  const offSeconds = Math.round((nowMs - Date.parse(date ?? '')) / 1000);
  if (Math.abs(offSeconds) > 60)
    tell(
      'clock',
      `this device's clock is ${Math.abs(offSeconds)} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the server's: ` +
        'event times are corrected by that much',
    );
  if (action === 'stop')
    tell(
      `stop ${code}`,
      code === 2007
        ? 'this web origin is not allowed by the key (2007): add it to the origins of the key'
        : `the option key was refused (HTTP ${status}, code ${code}): pass a public key of the project, tk_pub_…`,
    );
  const { rejected, notices } = body;
  for (const each of Array.isArray(rejected) ? rejected : []) {
    const [fault] = Array.isArray(each?.errors) ? each.errors : [];
    tell(
      `rejected ${fault?.reason} ${fault?.location}`,
      `an event was rejected at ${fault?.location}: ${fault?.message} (${fault?.reason}). ` +
        'Compare it with its declaration: tickrate event-types declare',
    );
  }
  if (Array.isArray(notices) && notices.length > 0)
    tell('notices', `event times were limited to 30 days: ${JSON.stringify(notices)}`);
}
