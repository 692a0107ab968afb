import { useMemo } from 'react';
import { useCall } from '../../../api/use-call.ts';

export function useTypeNames(): readonly string[] {
  const { data } = useCall('GET /v1/event-types', { query: { limit: 200 } });
  return useMemo(() => (data?.results ?? []).map(({ name }) => name), [data]);
}

/** The dotted paths of the members of a type, over all its versions. Empty until they are loaded. */
export function useMembers(type: string): readonly string[] {
  const { data } = useCall(
    'GET /v1/event-types/{name}',
    { params: { name: type } },
    { enabled: type !== '' },
  );
  return useMemo(() => {
    if (data === undefined || data.name !== type) return [];
    const paths = data.versions.flatMap(({ declaration }) => pathsOf(declaration, ''));
    return [...new Set(paths)].toSorted();
  }, [data, type]);
}

function pathsOf(schema: unknown, prefix: string): string[] {
  const { properties } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  if (properties === undefined) return prefix === '' ? [] : [prefix];
  return Object.entries(properties).flatMap(([name, member]) =>
    pathsOf(member, prefix === '' ? name : `${prefix}.${name}`),
  );
}
