export interface ListPage<R> {
  readonly results: readonly R[];
  readonly next: string | null;
}

export async function everyPage<R>(read: (cursor: string | undefined) => Promise<ListPage<R>>): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | undefined;
  do {
    const { results, next } = await read(cursor);
    rows.push(...results);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}
