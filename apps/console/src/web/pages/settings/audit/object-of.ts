import { useQuery } from '@tanstack/react-query';
import type { RowOf } from '../../../api/call.ts';
import { sessionQuery } from '../../../api/session.ts';
import { useList } from '../../../api/use-call.ts';
import { useMay } from '../../../components/states/permissions.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { auditTexts } from './audit-texts.ts';
/** Names of accounts, keys and dashboards, by what the trail calls them: `u-…`, or `key …`, `dashboard …`. */
export type Names = ReadonlyMap<string, string>;

/** Words for values of the details. */
export type Values = Readonly<Record<'role' | 'policy' | 'status' | 'refusal', (value: string) => string>>;

interface Act {
  readonly act: string;
  readonly details: object;
}

/** What an action was done to, in a few words: `Ada → Admin`, `Rates`, `CI`. */
export function objectOf({ act, details }: Act, names: Names, values: Values): string {
  const { accountId, keyId, role, status, ...rest } = { ...details } as Readonly<Record<string, unknown>>;
  const named = [
    textOf(accountId) && nameOf(textOf(accountId), names),
    textOf(keyId) && nameOf(`key ${textOf(keyId)}`, names),
    act === 'setPolicy' ? values.policy(textOf(rest['name'])) : textOf(rest['name']),
    textOf(rest['dashboardId']) && nameOf(`dashboard ${textOf(rest['dashboardId'])}`, names),
    textOf(rest['invited']),
    textOf(rest['provider']),
    textOf(rest['comment']),
    textOf(Object(rest['filter'])['type']),
    Array.isArray(rest['types']) ? rest['types'].map(textOf).join(', ') : '',
    act === 'signInRefused' ? values.refusal(textOf(rest['reason'])) : textOf(rest['reason']),
  ];
  const version = typeof rest['version'] === 'string' || typeof rest['version'] === 'number';
  return [
    ...named.filter((text) => text !== ''),
    ...(version ? [`v${String(rest['version'])}`] : []),
    ...[roleOf(textOf(role), values), values.status(textOf(status))].flatMap((text) =>
      text === '' ? [] : [`→ ${text}`],
    ),
  ].join(' ');
}

export function nameOf(actor: string, names: Names): string {
  return names.get(actor) ?? actor;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every player has `builtin:user`, which says nothing. */
function roleOf(role: string, values: Values): string {
  return role === 'builtin:user' ? '' : values.role(role);
}

/**
 * Names of the project's members, keys and dashboards, as far as the role may see them, one call for each list, and of the players that the
 * entries name.
 */
export function useNames(acts: readonly Pick<RowOf<'GET /v1/audit'>, 'names'>[] = []): Names {
  const may = useMay();
  const texts = useTexts(auditTexts);
  const { data: session } = useQuery(sessionQuery);
  const members = useList('GET /v1/members', { query: { limit: 200 } }, { enabled: may('members:read') });
  const keys = useList('GET /v1/keys', { query: { limit: 200 } }, { enabled: may('keys:read') });
  const dashboards = useList(
    'GET /v1/dashboards',
    { query: { limit: 200 } },
    { enabled: may('queries:read') },
  );
  return new Map([
    ...(dashboards.query.data ?? []).map(({ id, name }) => [`dashboard ${id}`, name] as const),
    ...acts.flatMap(({ names }) => Object.entries(names)),
    ...(members.query.data ?? []).map(
      ({ accountId, emailAddress, displayName }) =>
        [accountId, emailAddress ?? displayName ?? accountId] as const,
    ),
    ...(session === undefined ? [] : [[session.accountId, texts.you] as const]),
    ...(keys.query.data ?? []).map(
      ({ id, comment, prefix, ending }) => [`key ${id}`, `${comment} (${prefix}…${ending})`.trim()] as const,
    ),
  ]);
}
