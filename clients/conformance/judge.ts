import { conformanceEvent, conformanceType } from './conformance-event.ts';

export interface Verdict {
  readonly confirmed: number;
  readonly stored: number;
  /** Confirmed and not in ClickHouse. */
  readonly lost: readonly number[];
  /** More than once in ClickHouse. */
  readonly doubled: readonly number[];
  /** With another value or account than they were tracked with, or never tracked at all. */
  readonly wrong: readonly number[];
}

export interface Expected {
  readonly run: string;
  readonly confirmed: ReadonlySet<number>;
  /**
   * By event: the account that it belongs to, or `device`: an account that is none of `players`. All events of one
   * `device:<name>` belong to one account.
   */
  readonly owners: ReadonlyMap<number, string>;
  readonly players: ReadonlySet<string>;
}

/** Compares ClickHouse with what `track()` confirmed: id by id, value by value. */
export async function judge(
  product: { readonly clickhouse: string; readonly projectId: string },
  { run, confirmed, owners, players }: Expected,
): Promise<Verdict> {
  const rows = await readRows(product, run);
  const counts = new Map<number, number>();
  const wrong: number[] = [];
  const devices = new Map<string, string>();
  for (const row of rows) {
    const [account, ...values] = row;
    const [n] = values;
    counts.set(n, (counts.get(n) ?? 0) + 1);
    const { text, ratio, big, flag, list } = conformanceEvent(run, n);
    const owner = owners.get(n);
    if (owner?.startsWith('device:') && !devices.has(owner)) devices.set(owner, account);
    const isOwned =
      owner === undefined ||
      (owner === 'device' ? !players.has(account) : (devices.get(owner) ?? owner) === account);
    if (!isOwned || JSON.stringify(values) !== JSON.stringify([n, text, ratio, big, flag, list]))
      wrong.push(n);
  }
  return {
    confirmed: confirmed.size,
    stored: counts.size,
    lost: [...confirmed].filter((n) => !counts.has(n)),
    doubled: [...counts].filter(([, count]) => count > 1).map(([n]) => n),
    wrong,
  };
}

type Row = readonly [string, number, string, number, number, boolean, readonly number[]];

async function readRows(
  { clickhouse, projectId }: { readonly clickhouse: string; readonly projectId: string },
  run: string,
): Promise<Row[]> {
  const url = new URL(clickhouse);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const view = `project_${projectId.replaceAll(/[^A-Za-z0-9]/g, '_')}.${conformanceType}`;
  const sql = `SELECT account_id, n, text, ratio, big, flag, list FROM ${view} WHERE run = '${run}' ORDER BY n FORMAT JSONCompactEachRow`;
  const answer = await fetch(`${url.origin}/?output_format_json_quote_64bit_integers=0`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: sql,
  });
  const text = await answer.text();
  // The view appears with the first declaration, a moment after it.
  if (answer.status === 404) return [];
  if (answer.status !== 200) throw new Error(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
