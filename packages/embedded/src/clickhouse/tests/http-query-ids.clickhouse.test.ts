import { expect, test } from 'vitest';
import { ACCESS, httpHarness, type Reply } from './http-harness.ts';

const { http, select } = httpHarness();
const SLOW = 'SELECT count() FROM numbers(1e12) SETTINGS max_threads = 1';
const code = ({ headers }: Reply): unknown => headers['x-clickhouse-exception-code'];

/** Starts an endless query, and waits until the engine runs it. */
async function start(queryId: string): Promise<{ ended: Promise<Reply> }> {
  const ended = http({ search: { query_id: queryId }, body: SLOW });
  const body = `SELECT count() FROM system.processes WHERE query_id = '${queryId.replaceAll("'", "''")}'`;
  await expect.poll(() => select(body)).toBe('1\n');
  return { ended };
}

test('the URL wins over the header for the query id', async () => {
  const headers = { ...ACCESS, 'X-ClickHouse-Query-Id': 'of-the-header' };
  const id = async (search: Record<string, string>): Promise<unknown> =>
    (await http({ headers, search, body: 'SELECT 1' })).headers['x-clickhouse-query-id'];
  expect([await id({}), await id({ query_id: 'of-the-url' })]).toEqual(['of-the-header', 'of-the-url']);
});

test("system.processes shows the client's id and SQL", async () => {
  const { ended } = await start("it's");
  const shown = await select(
    "SELECT p.query_id, query FROM system.processes AS p WHERE query_id LIKE 'it%' ORDER BY elapsed FORMAT TSVRaw",
  );
  expect(shown).toMatch(/^it's\tSELECT count\(\) FROM numbers\(1e12\)/);
  expect(shown).not.toMatch(/OUTFILE|pipe-|\n./);
  expect(
    await select("SELECT system.processes.query_id FROM system.processes WHERE query_id = 'it''s'"),
  ).toBe("it\\'s\n");
  await select("KILL QUERY WHERE query_id IN ('it''s', 'other') SYNC");
  expect(code(await ended)).toBe('394');
});

test.each(["query_id = 'victim'", "query_id LIKE 'vic%'", "user = 'default' AND `query_id` IN ['victim']"])(
  'KILL QUERY WHERE %s ends only the query with that id',
  async (condition) => {
    const [{ ended }, other] = [await start('victim'), await start('bystander')];
    await select(`KILL QUERY WHERE ${condition}`);
    expect(code(await ended)).toBe('394');
    expect(await select("SELECT count() FROM system.processes WHERE query_id = 'bystander'")).toBe('1\n');
    await select("KILL QUERY WHERE query_id = 'bystander'");
    await other.ended;
  },
);

test('a running id fails with 216, and replace_running_query=1 ends the older query', async () => {
  const { ended } = await start('again');
  const search = { query_id: 'again' };
  expect(code(await http({ search, body: 'SELECT 1' }))).toBe('216');
  const reply = await http({ search: { ...search, replace_running_query: '1' }, body: 'SELECT 1' });
  expect([reply.status, reply.text]).toEqual([200, '1\n']);
  expect(code(await ended)).toBe('394');
});
