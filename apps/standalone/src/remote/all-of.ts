import type { Api } from './api.ts';

/** Every page of a list. */
export async function allOf<T>(
  api: Api,
  path: string,
  filter: Readonly<Record<string, string>> = {},
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page: { results: T[]; next: string | null } = await api.call({
      at: 'console',
      path,
      query: { ...filter, cursor, limit: '200' },
    });
    all.push(...page.results);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
