import type { Decision, RawAnswer } from '../core/answer.ts';
import type { Problem, Tell } from '../core/tell.ts';

export interface ExplainedAnswer {
  readonly answer: RawAnswer;
  readonly decision: Decision;
  readonly nowMs: number;
}

const texts: Readonly<Record<Exclude<Problem, 'answer'>, (detail: string) => string>> = {
  track: (error) => `track() failed: ${error}. Pass an event of generated code, without cycles or bigint`,
  tooLarge: (type) => `an event of type ${type} is larger than 64 KiB and was dropped`,
  storage: (error) => `the buffer cannot be written: ${error}. Check the folder and the free space`,
  seal: (error) => `a segment cannot be sealed: ${error}. It is sent after the next start`,
  read: (error) => `a segment cannot be read: ${error}`,
  send: (error) => `sending stopped: ${error}`,
  state: (error) => `state.json cannot be written: ${error}`,
  device: (code) =>
    code.startsWith('2')
      ? `the option key was refused by the sign-in (code ${code}): pass a public key of the project, tk_pub_…`
      : 'the project does not let a device sign in by itself: call signIn(), or set account to "key"',
  sessions: (url) => `${url} has no sign-in: set sessionsUrl, or SESSIONS_URL on the server`,
  changed: () => 'a segment was changed after it was sent; it was set aside',
  folder: (where) => `the folder ${where}. Events are kept in memory only`,
};

/** Prints each problem once. */
export function explainTo(debug: true | ((message: string) => void)): Tell {
  const told = new Set<string>();
  const say = (id: string, message: string) => {
    if (told.has(id)) return;
    told.add(id);
    if (typeof debug === 'function') debug(message);
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    else console.warn(`tickrate: ${message}`);
  };
  return (problem, detail) => {
    if (problem === 'answer') adviseOn(detail as ExplainedAnswer, say);
    else say(problem, texts[problem](String(detail)));
  };
}

/** What an answer shows to be wrong, and what to do. */
function adviseOn(
  { answer: { status, date }, decision: { action, code, body }, nowMs }: ExplainedAnswer,
  say: (id: string, message: string) => void,
): void {
  const offSeconds = Math.round((nowMs - Date.parse(date ?? '')) / 1000);
  if (Math.abs(offSeconds) > 60)
    say(
      'clock',
      `this device's clock is ${Math.abs(offSeconds)} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the server's: ` +
        'event times are corrected by that much',
    );
  const refusal = refusalOf(status, code, action === 'stop');
  if (refusal) say(`${status} ${code}`, refusal);
  const { rejected, notices } = body;
  for (const each of Array.isArray(rejected) ? rejected : []) {
    const [fault] = Array.isArray(each?.errors) ? each.errors : [];
    say(
      `rejected ${fault?.reason} ${fault?.location}`,
      `an event was rejected at ${fault?.location}: ${fault?.message} (${fault?.reason}). ` +
        'Compare it with its declaration: tickrate event-types declare',
    );
  }
  if (Array.isArray(notices) && notices.length > 0)
    say('notices', `event times were limited to 30 days: ${JSON.stringify(notices)}`);
}

function refusalOf(status: number, code: number, isStop: boolean): string {
  if (status === 413 && !code)
    return (
      'a proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB ' +
      '(nginx: client_max_body_size). Until then these events wait'
    );
  if (!isStop) return '';
  return code === 2007
    ? 'this web origin is not allowed by the key (2007): add it to the origins of the key'
    : `the option key was refused (HTTP ${status}, code ${code}): pass a public key of the project, tk_pub_…`;
}
