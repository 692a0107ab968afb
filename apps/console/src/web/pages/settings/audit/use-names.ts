import { useQuery } from '@tanstack/react-query';
import type { RowOf } from '../../../api/call.ts';
import { sessionQuery } from '../../../api/session.ts';
import { useList } from '../../../api/use-call.ts';
import { useMay } from '../../../components/states/permissions.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { auditTexts } from './audit-texts.ts';
import type { Names } from './object-of.ts';

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
