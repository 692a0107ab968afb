/** Names of accounts and keys, by what the trail calls them: `u-…`, or `key …`. */
export type Names = ReadonlyMap<string, string>;

/** What an action was done to, in the words that its details have: `Ada → admin`, `rates`, `CI`. */
export function objectOf(details: object, names: Names): string {
  const { accountId, keyId, role, status, ...rest } = { ...details } as Readonly<Record<string, unknown>>;
  const named = [
    textOf(accountId) && nameOf(textOf(accountId), names),
    textOf(keyId) && nameOf(`key ${textOf(keyId)}`, names),
    textOf(rest['name']),
    textOf(rest['comment']),
    textOf(rest['reason']),
  ];
  const version = typeof rest['version'] === 'string' || typeof rest['version'] === 'number';
  return [
    ...named.filter((text) => text !== ''),
    ...(version ? [`v${String(rest['version'])}`] : []),
    ...[roleOf(textOf(role)), textOf(status)].flatMap((text) => (text === '' ? [] : [`→ ${text}`])),
  ].join(' ');
}

export function nameOf(actor: string, names: Names): string {
  return names.get(actor) ?? actor;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every player has `builtin:user`, which says nothing. */
function roleOf(role: string): string {
  return role === 'builtin:user' ? '' : role.replace(/^builtin:/, '');
}
