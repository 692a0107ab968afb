/** Why the address of a store cannot be used, or null. The text is not repeated: it may hold a password. */
type UrlCheck = (text: string) => string | null;

/** Others would change what Tickrate sets for every session, such as when a commit is confirmed. */
const postgresParameters = new Set(['host', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat']);

export const checkPostgresUrl: UrlCheck = (text) => {
  const unknown = unknownParameter(text, postgresParameters);
  return unknown === null
    ? null
    : `has the parameter ${unknown}; supported are ${[...postgresParameters].join(', ')}`;
};

export const checkClickhouseUrl: UrlCheck = (text) => {
  const unknown = unknownParameter(text, new Set());
  return unknown === null ? null : `has the parameter ${unknown}; parameters are not supported`;
};

/** Also finds a second https:// in front of a name. */
export const checkPublicUrl: UrlCheck = (text) => {
  const { pathname, search, hash } = new URL(text);
  return pathname === '/' && search === '' && hash === ''
    ? null
    : 'has a path; write only the protocol, the name and perhaps a port, such as https://events.example.com';
};

const queueForms =
  'supported are redis://, rediss://, postgres:// and postgresql:// URLs, separated by commas; Redis Sentinel and Redis Cluster are not';

export const checkQueueUrl: UrlCheck = (text) => {
  const urls = text.split(',').flatMap((url) => url.trim() || []);
  if (urls.length === 0) return `names no queue; ${queueForms}`;
  return urls.map(checkOne).find((fault) => fault !== null) ?? null;
};

function checkOne(text: string): string | null {
  if (!URL.canParse(text)) return `has an address that is no URL; ${queueForms}`;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  if (protocol === 'postgres:' || protocol === 'postgresql:') return checkPostgresUrl(text);
  if (protocol !== 'redis:' && protocol !== 'rediss:') return `begins with ${protocol}//; ${queueForms}`;
  if (hostname === '') return 'has a Redis address without a host';
  if (!/^\/?\d*$/.test(pathname)) return 'has a Redis address whose database is not a number';
  if (search !== '' || hash !== '') return 'has a Redis address with parameters, which are not supported';
  return null;
}

function unknownParameter(text: string, known: ReadonlySet<string>): string | null {
  return [...new URL(text).searchParams.keys()].find((name) => !known.has(name)) ?? null;
}
