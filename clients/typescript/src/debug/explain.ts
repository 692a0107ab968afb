import type { Decision, RawAnswer } from '../core/answer.ts';
import type { Problem, Report } from '../core/core.ts';
import { type Json, objectOf, parseObject, textOf } from '../core/json.ts';

const texts: Readonly<Record<Exclude<Problem, 'answer' | 'address'>, (detail: string) => string>> = {
  consent: () =>
    'the consent is unknown: nothing is sent, and up to 200 events wait in memory, until the game calls setConsent() or ' +
    'passes the option consent',
  track: (error) => `track() failed: ${error}. Pass an event of generated code, without cycles or bigint`,
  tooLarge: (type) => `an event of type ${type} is larger than 64 KiB and was dropped`,
  storage: (error) =>
    `the buffer cannot be written, and track() returns false: ${error}. Check the folder and the free space`,
  seal: (error) => `a segment cannot be sealed: ${error}. It is sent after the next start`,
  read: (error) => `a segment cannot be read: ${error}`,
  deleted: (error) =>
    `a part of the buffer was deleted while the game runs, and its events are lost: ${error}. Leave its folder, or the data of the site, alone`,
  send: (error) => `sending stopped: ${error}`,
  state: (error) => `state.json cannot be written: ${error}`,
  device: adviseOnDevice,
  sessions: (answer) =>
    `${answer} to the sign-in, but not as Tickrate does: set sessionsUrl, or SESSIONS_URL on the server`,
  changed: () => 'a segment was changed after it was sent; it was set aside',
  folder: (where) => `the folder ${where}. Events are kept in memory only`,
};

function adviseOnDevice(code: string): string {
  if (code === '4006')
    return 'the account of this device is banned (code 4006): its events wait until the ban ends';
  return code.startsWith('2')
    ? `the option key was refused by the sign-in (code ${code}): pass a public key of the project, tk_pub_…`
    : 'the project does not let a device sign in by itself: call signIn(), or set account to "key"';
}

/** Prints each problem once. */
export function explainTo(debug: true | ((message: string) => void)): Report {
  const printed = new Set<string>();
  const say = (id: string, message: string) => {
    if (printed.has(id)) return;
    printed.add(id);
    if (typeof debug === 'function') debug(message);
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    else console.warn(`tickrate: ${message}`);
  };
  return (problem, detail) => {
    if (problem === 'answer') adviseOnAnswer(detail as Parameters<typeof adviseOnAnswer>[0], say);
    else if (problem === 'address') adviseOnAddress(detail as Parameters<typeof adviseOnAddress>[0], say);
    else say(problem, texts[problem](String(detail)));
  };
}

/* What an answer shows to be wrong, and what to do. `say` prints each id once. */

type Say = (id: string, message: string) => void;

interface ExplainedAnswer {
  readonly answer: RawAnswer;
  readonly decision: Decision;
  readonly nowMs: number;
  readonly url: string;
  /** The events of the request, one JSON object a line. */
  readonly body: string;
}

/** The answer to the question which addresses there are: the first request of every start. */
function adviseOnAddress(
  { answer, url }: { readonly answer: RawAnswer; readonly url: string },
  say: Say,
): void {
  const { status, text } = answer;
  if (status === 0) sayUnreachable(answer, url, say);
  else if (!('protocol' in parseObject(text))) say('address', strangerAt(url, answer));
}

function adviseOnAnswer({ answer, decision, nowMs, url, body }: ExplainedAnswer, say: Say): void {
  if (answer.status === 0) sayUnreachable(answer, url, say);
  else adviseOnRefusal({ answer, decision, nowMs, url, body }, say);
}

function adviseOnRefusal({ answer, decision, nowMs, url, body }: ExplainedAnswer, say: Say): void {
  adviseOnClock(answer, nowMs, say);
  const refusal = refusalOf(answer, decision, url);
  if (refusal) say(`${answer.status} ${decision.code}`, refusal);
  adviseOnEvents(decision.body, body, say);
}

function sayUnreachable({ fault }: RawAnswer, url: string, say: Say): void {
  const { cause = fault } = (fault ?? {}) as Error;
  say(
    'unreachable',
    `${url} does not answer (${String(cause)}): check the option url, that the gateway runs, and in a page its origin. ` +
      'Events wait in the buffer, and none is lost',
  );
}

function adviseOnClock({ date }: RawAnswer, nowMs: number, say: Say): void {
  const offSeconds = Math.round((nowMs - Date.parse(date ?? '')) / 1000);
  if (Math.abs(offSeconds) > 60)
    say(
      'clock',
      `this device's clock is ${Math.abs(offSeconds)} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the server's: ` +
        'event times are corrected by that much',
    );
}

/** Rejected events and limited times. */
function adviseOnEvents({ rejected, notices }: Json, body: string, say: Say): void {
  const lines = body.split('\n');
  for (const each of Array.isArray(rejected) ? rejected : []) {
    const { index, errors } = objectOf(each) ?? {};
    const { eventType, eventTypeVersion } = parseObject(lines[Number(index)] ?? '');
    const type = `${eventType} ${eventTypeVersion === undefined ? 'without a version' : `version ${eventTypeVersion}`}`;
    for (const fault of Array.isArray(errors) ? errors : [])
      say(
        `rejected ${type} ${fault?.reason} ${String(fault?.location).replace(/\d+/, '')}`,
        `an event of type ${type} was rejected at ${fault?.location}: ${fault?.message} (${fault?.reason}). ` +
          'Declare this type and version (tickrate event-types declare), or generate the code again (tickrate event-types code)',
      );
  }
  if (Array.isArray(notices) && notices.length > 0)
    say('notices', `event times were limited to 30 days: ${JSON.stringify(notices)}`);
}

const adviceByCode: Readonly<Record<number, string>> = {
  2003: 'the option key is of the wrong kind (2003): pass a public key of the project, tk_pub_…',
  2006: 'the option key lacks the scope events:write (2006): pass a public key of the project, tk_pub_…',
  2007: 'this web origin is not allowed by the key (2007): add it to the origins of the key',
};

function refusalOf(answer: RawAnswer, { action, code, body }: Decision, url: string): string | undefined {
  const { status } = answer;
  const what = `HTTP ${status}, code ${code}`;
  if (action === 'stop')
    return (
      adviceByCode[code] ?? `the option key was refused (${what}): pass a public key of the project, tk_pub_…`
    );
  if (action === 'setAside')
    return `a request was refused (${what}: ${textOf(body['message'])}). Its events were set aside`;
  if (code || action === 'delete') return;
  if (status === 413)
    return (
      'a proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB ' +
      '(nginx: client_max_body_size). Until then these events wait'
    );
  return `${strangerAt(url, answer)}. Its events wait in the buffer`;
}

function strangerAt(url: string, { status, text }: RawAnswer): string {
  const quoted = JSON.stringify(text.slice(0, 60));
  return (
    `${url} answers HTTP ${status}, but not as Tickrate does (${quoted}): check that the option url is the address of ` +
    'the gateway, without redirects'
  );
}
