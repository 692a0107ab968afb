import type { IncomingMessage } from 'node:http';
import { parameterInvalid, parameterMissing, type SystemError, systemError } from '@tickrate/contract';

/** Of these Node keeps the first and forgets the others; a proxy in front may have gone by the last. */
const singular = new Set(['host', 'authorization', 'content-type']);
const singularLengths = new Set([...singular].map(({ length }) => length));

// Names, addresses and IPv6 addresses in brackets, with a port. Empty when the target has no authority.
const hostPattern = /^(?:\[[0-9A-Za-z:.%_~-]+\]|[0-9A-Za-z._~%!$&'()*+;=-]*)(?::\d{0,5})?$/;

/**
 * Why a request that Node has parsed is refused all the same: it could be read in two ways, and whoever stands in
 * front may have read it in the other. Null when there is one reading only. What is wrong with lines, lengths and
 * chunks Node refuses itself.
 */
export function faultOfHead(request: IncomingMessage): SystemError | null {
  const { httpVersion, headers, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return parameterInvalid('request', 'malformedHttp');
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== null) return parameterInvalid(repeated, 'given twice');
  const { host } = headers;
  if (host === undefined && httpVersion === '1.1') return parameterMissing('Host');
  if (host !== undefined && !hostPattern.test(host)) return parameterInvalid('Host', 'not a host');
  if (url.includes('#')) return parameterInvalid('request', 'malformedHttp');
  return faultOfCoding(request) ?? takeAuthorityOff(request);
}

function faultOfCoding({ headers, httpVersion }: IncomingMessage): SystemError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return parameterInvalid('Transfer-Encoding', 'not in HTTP/1.0');
  if (coding.toLowerCase() === 'chunked') return null;
  return systemError('contentTypeInvalid', {}, { fields: 'Transfer-Encoding: only chunked is read' });
}

/** `GET http://host/path`, as proxies are asked, becomes `GET /path`. */
function takeAuthorityOff(request: IncomingMessage): SystemError | null {
  const { url = '', headers } = request;
  if (url.startsWith('/') || request.method === 'OPTIONS') return null;
  const [, authority, target = ''] = /^https?:\/\/([^/?]*)(.*)$/i.exec(url) ?? [];
  if (authority === undefined) return url === '*' ? null : parameterInvalid('request', 'malformedHttp');
  if (authority.toLowerCase() !== headers.host?.toLowerCase())
    return parameterInvalid('Host', 'not the one of the address');
  request.url = target.startsWith('/') ? target : `/${target}`;
  return null;
}

function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (!singularLengths.has(given.length)) continue;
    const name = given.toLowerCase();
    if (!singular.has(name)) continue;
    if (seen.includes(`${name},`)) return titleOf(name);
    seen += `${name},`;
  }
  return null;
}

function titleOf(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
