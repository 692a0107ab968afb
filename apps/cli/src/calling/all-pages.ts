import type { Api, CallName, RowOf } from './api.ts';

/** The calls that answer a list page by page. */
export type ListName = {
  [N in CallName]: N extends `GET ${string}` ? ([RowOf<N>] extends [never] ? never : N) : never;
}[CallName];

interface ListInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

interface Page<R> {
  readonly results: readonly R[];
  readonly next: string | null;
}

export async function allPages<N extends ListName>(
  api: Api,
  name: N,
  { params, query }: ListInput = {},
): Promise<RowOf<N>[]> {
  // The types of a call depend on its name, which is not known here. All lists have the same pages.
  const readPage = api.call as (name: N, input: object) => Promise<Page<RowOf<N>>>;
  const rows: RowOf<N>[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(name, { params, query: { ...query, cursor, limit: 200 } });
    rows.push(...page.results);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}
