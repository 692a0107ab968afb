import type { Decision, RawAnswer } from '../core/answer.ts';
import { type Json, objectOf, parseObject, textOf } from '../core/json.ts';

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
export function adviseOnAddress(
  { answer, url }: { readonly answer: RawAnswer; readonly url: string },
  say: Say,
): void {
  const { status, text } = answer;
  if (status === 0) sayUnreachable(answer, url, say);
  else if (!('protocol' in parseObject(text))) say('address', strangerAt(url, answer));
}

export function adviseOnAnswer({ answer, decision, nowMs, url, body }: ExplainedAnswer, say: Say): void {
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
