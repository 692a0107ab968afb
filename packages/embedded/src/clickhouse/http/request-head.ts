import type { IncomingMessage } from 'node:http';

const hostPattern = /^(?:\[[0-9A-Za-z:.%_~-]+\]|[0-9A-Za-z._~%!$&'()*+;=-]*)(?::\d{0,5})?$/;
const onlyOnce = new Set(['host', 'authorization', 'content-type', 'x-clickhouse-user', 'x-clickhouse-key']);

/**
 * The reason to refuse a request that a proxy in front may have read in another way; null if there is none. The same
 * rules as on the other ports of the product.
 */
export function faultOfHead({ headers, rawHeaders, url = '', method }: IncomingMessage): string | null {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = names.find((name, at) => onlyOnce.has(name) && names.indexOf(name) !== at);
  if (repeated !== undefined) return `The header ${repeated} is given twice`;
  const { host = '' } = headers;
  if (!hostPattern.test(host)) return 'The header host is not a host';
  if (url.includes('#')) return 'The address of the request is not valid';
  if (url.startsWith('/') || (method === 'OPTIONS' && url === '*')) return null;
  const [, authority] = /^https?:\/\/([^/?]*)/i.exec(url) ?? [];
  if (authority === undefined) return 'The address of the request is not valid';
  return authority.toLowerCase() === host.toLowerCase()
    ? null
    : 'The header host is not the host of the address';
}
