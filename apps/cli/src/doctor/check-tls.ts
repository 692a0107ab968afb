import type { ApiPlace } from '../calling/find-api.ts';
import type { Stores } from '../stores/find-stores.ts';
import { bad, type Finding, good, reasonOf, timeoutMs, warning } from './finding.ts';

const privateName = /^(?:localhost|\[::1\]|\[f[cd][^\]]*\]|[^.:]+|.*\.(?:svc|local|internal))$/;
const privateAddress = /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/;

const plainProtocols = new Set(['http:', 'redis:', 'postgres:', 'postgresql:']);

/** A password of a store must not cross a public network. Shows hosts only: the addresses have passwords. */
export function checkStoreTls({ postgresUrl, queueUrl, clickhouseUrl }: Stores): Finding {
  const urls = [postgresUrl, ...queueUrl.split(','), clickhouseUrl ?? ''].filter((url) => URL.canParse(url));
  const open = urls
    .map((url) => new URL(url))
    .filter(({ protocol, hostname, searchParams }) => {
      const isPlain = (searchParams.get('sslmode') ?? 'disable') === 'disable';
      return plainProtocols.has(protocol) && isPlain && isPublic(hostname);
    })
    .map(({ host }) => host);
  if (open.length === 0) return good('TLS of databases', 'no public address is used in plain text');
  return bad(
    'TLS of databases',
    `${[...new Set(open)].join(', ')}: passwords and events are sent in plain text`,
    'Use rediss://, https:// and ?sslmode=verify-full, or a private network',
  );
}

/** Of the addresses that this command uses, and of those that clients are given. Private networks need no TLS. */
export async function checkTls(place: ApiPlace): Promise<Finding[]> {
  const found = await Promise.all([place.gateway, place.auth].map(announcedBy));
  const announced = [...new Set(found.flat())];
  const reached = await Promise.all(announced.map(checkAnnounced));
  const used = [place.gateway, place.auth, place.console];
  const open = new Set(
    [...used, ...announced].filter((url) => {
      const to = url !== null && URL.canParse(url) ? new URL(url) : null;
      return to?.protocol === 'http:' && isPublic(to.hostname);
    }),
  );
  if (open.size === 0) return [good('TLS', 'no public address is in plain HTTP'), ...reached.flat()];
  const plain = bad(
    'TLS',
    `${[...open].join(', ')}: keys and passwords are sent in plain text`,
    'Put a proxy with a certificate in front (docs/containers.md), and name https:// addresses in EVENTS_URL and SESSIONS_URL',
  );
  return [plain, ...reached.flat()];
}

/** Whether an address that clients are given leads to a Tickrate. Another network may reach what this host does not. */
async function checkAnnounced(url: string): Promise<Finding[]> {
  const name = 'Public address';
  if (!isPublic(new URL(url).hostname)) return [];
  try {
    const answer = await fetch(`${url}/.well-known/tickrate`, { signal: AbortSignal.timeout(timeoutMs) });
    await answer.json();
    return [good(name, `${url} answers`)];
  } catch (error) {
    const advice = 'Check SITE_ADDRESS, its DNS and certificate, and that ports 80 and 443 reach the proxy';
    return [warning(name, `${url} does not answer as Tickrate does: ${reasonOf(error)}`, advice)];
  }
}

/** The public addresses that a server gives to clients. None if it does not answer: another check reports that. */
async function announcedBy(url: string | null): Promise<string[]> {
  if (url === null) return [];
  try {
    const answer = await fetch(`${url}/.well-known/tickrate`, { signal: AbortSignal.timeout(timeoutMs) });
    const { events, sessions } = (await answer.json()) as Readonly<Record<string, unknown>>;
    return [events, sessions].filter((each) => typeof each === 'string').filter((each) => URL.canParse(each));
  } catch {
    return [];
  }
}

function isPublic(hostname: string): boolean {
  return hostname !== '' && !privateName.test(hostname) && !privateAddress.test(hostname);
}
