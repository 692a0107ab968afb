import type { IncomingMessage } from 'node:http';
import { parameterInvalid, parameterMissing, type SystemError, systemError } from '@tickrate/contract';

// Names, addresses and IPv6 addresses in brackets, with a port. Empty when the target has no authority.
const hostPattern = /^(?:\[[0-9A-Za-z:.%_~-]+\]|[0-9A-Za-z._~%!$&'()*+;=-]*)(?::\d{0,5})?$/;

/**
 * The reason to refuse a request that Node has parsed: it could be read in two ways, and a proxy may have read it in the
 * other. Null if there is only one reading. Node itself refuses invalid lines, lengths and chunks.
 */
export function createHeadCheck(): (request: IncomingMessage) => SystemError | null {
  const faultOfHost = createHostCheck();
  return (request) => {
    const { httpVersion, rawHeaders, url = '' } = request;
    if (httpVersion !== '1.1' && httpVersion !== '1.0') return parameterInvalid('request', 'malformedHttp');
    const repeated = repeatedHeader(rawHeaders);
    if (repeated !== null) return parameterInvalid(repeated, 'given twice');
    const hostFault = faultOfHost(request);
    if (hostFault !== null) return hostFault;
    if (url.includes('#')) return parameterInvalid('request', 'malformedHttp');
    return faultOfCoding(request) ?? takeAuthorityOff(request);
  };
}

function createHostCheck(): (request: IncomingMessage) => SystemError | null {
  // Most requests name the same host.
  let lastHost = '';
  return ({ headers, httpVersion }) => {
    const { host } = headers;
    if (host === lastHost && host !== '') return null;
    if (host === undefined) return httpVersion === '1.1' ? parameterMissing('Host') : null;
    if (!hostPattern.test(host)) return parameterInvalid('Host', 'not a host');
    lastHost = host;
    return null;
  };
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

/** Node keeps the first of these and drops the others; a proxy in front may have used the last. */
function repeatedHeader(rawHeaders: readonly string[]): string | null {
  let hosts = 0;
  let credentials = 0;
  let types = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    // The lengths of the three names all differ.
    if (given.length === 4 && isName(given, 'host')) hosts++;
    else if (given.length === 13 && isName(given, 'authorization')) credentials++;
    else if (given.length === 12 && isName(given, 'content-type')) types++;
  }
  if (hosts > 1) return 'Host';
  if (credentials > 1) return 'Authorization';
  return types > 1 ? 'Content-Type' : null;
}

function isName(given: string, name: string): boolean {
  return given.toLowerCase() === name;
}
