import { connect } from 'node:net';
import { parseApiKeyText } from '@tickrate/contract';
import type { ApiPlace } from '../calling/find-api.ts';
import { checkTls } from './check-tls.ts';
import { bad, checkClock, type Finding, good, reasonOf, timeoutMs, warning } from './finding.ts';

const variables: Readonly<Record<string, string>> = {
  gateway: 'TICKRATE_GATEWAY_URL',
  auth: 'TICKRATE_AUTH_URL',
  console: 'TICKRATE_URL',
};

/** Only these statuses concern the key. Any other answer is a fault of the server. */
const refusals = new Set([401, 403]);
const answerFirst = 'The management API must answer first';

export async function checkAddresses(place: ApiPlace, nowMs: () => number): Promise<Finding[]> {
  const servers = (['gateway', 'auth', 'console'] as const).map((name) =>
    checkServer(name, place[name], nowMs),
  );
  const processes = Object.entries(place.processes).map(([name, url]) =>
    checkServer(`${name} process`, url, null),
  );
  return [
    ...(await Promise.all([...servers, ...processes])).flat(),
    ...(await checkTls(place)),
    ...checkPublicKey(place),
    await checkKey(place),
  ];
}

/** Without `nowMs`, on this machine: its clock is not compared. */
async function checkServer(
  name: string,
  url: string | null,
  nowMs: (() => number) | null,
): Promise<Finding[]> {
  if (url === null) return [warning(name, 'no address', `Start it, or set ${variables[name]}`)];
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    const date = answer.headers.get('date');
    await answer.text();
    const state = answer.ok
      ? good(name, `${url} is ready`)
      : bad(
          name,
          `${url} is not ready (${answer.status})`,
          'Read its log and /health/ready on its METRICS_PORT: they name what it waits for',
        );
    return date === null || nowMs === null
      ? [state]
      : [state, checkClock(`${name} clock`, Date.parse(date) + 500 - nowMs())];
  } catch (error) {
    return [
      bad(
        name,
        `${url}: ${reasonOf(error)}`,
        'Start it, correct the address, or read its log: a setting may end it',
      ),
    ];
  }
}

/** A public key is in every copy of a game; one of another kind must not be there. */
function checkPublicKey({ publicKey }: ApiPlace): Finding[] {
  if (publicKey === null) return [];
  const kind = parseApiKeyText(publicKey);
  if (kind === 'public') return [good('Public key', 'is a public one')];
  return [
    bad(
      'Public key',
      kind === null ? 'is no key, or has a typing error' : `is the ${kind} key of a project`,
      kind === null
        ? 'Copy it again: `keys list` shows how it begins'
        : 'Put a key that begins with tk_pub_ there, and revoke this one if a game was built with it',
    ),
  ];
}

async function checkKey({ console, key, keyFrom }: ApiPlace): Promise<Finding> {
  if (key === null || console === null) {
    return warning('Key', 'none', 'Set TICKRATE_KEY, or use `tickrate sign-in`');
  }
  if (parseApiKeyText(key) === 'public') {
    const found = `${keyFrom} is a public key, which may only send events and sign in`;
    return bad('Key', found, 'Put it into TICKRATE_PUBLIC_KEY, and a key that begins with tk_adm_ here');
  }
  try {
    const answer = await fetch(`${console}/v1/projects`, {
      headers: { 'X-API-Key': key },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.text();
    if (answer.ok) return good('Key', `${keyFrom} is taken`);
    if (!refusals.has(answer.status)) return bad('Key', `cannot be tried (${answer.status})`, answerFirst);
    return bad(
      'Key',
      `${keyFrom} is refused (${answer.status})`,
      'Sign in again, or make a new key with `keys create`',
    );
  } catch (error) {
    return bad('Key', `cannot be tried: ${reasonOf(error)}`, answerFirst);
  }
}

/** Checks that the mail server accepts connections. */
export async function checkSmtp(smtpUrl: string | null): Promise<Finding> {
  if (smtpUrl === null) {
    return warning(
      'Mail',
      'SMTP_URL is not set',
      'Set it where auth runs: until then mails wait in the outbox',
    );
  }
  const { hostname, port, protocol } = new URL(smtpUrl);
  const isAnswered = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
  return isAnswered
    ? good('Mail', `${hostname} answers`)
    : bad('Mail', `${hostname} does not answer`, 'Start the mail server, or mend SMTP_URL');
}
