const bodyTypes: readonly string[] = ['application/json', 'text/json', 'text/plain'];

/** Whether a body of this Content-Type is read as UTF-8 JSON text (or is one of `more`). None at all is. */
export function isReadType(contentType: string | undefined, more: readonly string[] = []): boolean {
  if (contentType === undefined || contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const name = type.trim();
  const read = name === '' || bodyTypes.includes(name) || name.endsWith('+json') || more.includes(name);
  return read && parameters.every(isReadParameter);
}

/** What is wrong with a Content-Type, and what to send. `curl --data` names a form by itself. */
export function unreadType(contentType: string | undefined, more: readonly string[] = []): string {
  const isForm = contentType?.startsWith('application/x-www-form-urlencoded') === true;
  const hint = isForm
    ? "; curl --data sends a form and removes line ends: add -H 'Content-Type: …', and send files with --data-binary"
    : '';
  const types = ['application/json', ...more.slice(0, 1)].join(' or ');
  return `Content-Type: '${contentType?.slice(0, 100) ?? ''}' is not read here; send ${types}, in UTF-8${hint}`;
}

function isReadParameter(parameter: string): boolean {
  const match = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter);
  return match === null || ['utf-8', 'utf8', 'us-ascii'].includes(match[1] ?? '');
}
