const bodyTypes: readonly string[] = ['application/json', 'text/json', 'text/plain'];

/** Whether a body of this Content-Type is read as UTF-8 JSON text (or is one of `more`). None at all is. */
export function isReadType(contentType: string | undefined, more: readonly string[] = []): boolean {
  if (contentType === undefined || contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const name = type.trim();
  const read = name === '' || bodyTypes.includes(name) || name.endsWith('+json') || more.includes(name);
  return read && parameters.every(isReadParameter);
}

function isReadParameter(parameter: string): boolean {
  const match = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter);
  return match === null || ['utf-8', 'utf8', 'us-ascii'].includes(match[1] ?? '');
}
