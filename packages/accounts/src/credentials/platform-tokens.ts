import type { Accounts } from '../accounts.ts';

/** A token is remembered for this exchange, and for this sender. */
interface TokenSender {
  readonly exchangeId: string;
  /** Whether only the exchange may repeat it. Then an old token gives nobody back the role that a newer one took away. */
  readonly onlyExchange: boolean;
  readonly keyId: string;
  readonly clientAddress: string;
}

const rememberedMs = 10 * 60_000;
/** A little longer than the timeout of a platform: by then the claimer has an answer, or is gone. */
const claimMs = 10_000;

/** What is stored of the tokens of platforms, for all processes. A token is named by the hex text of its hash. */
export interface TokenMemory {
  /** The texts that were remembered with the accepted tokens, by hash. */
  recall(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  remember(hash: string, text: string): Promise<void>;
  /**
   * Resolves with the tokens that the caller must show to their platform; another process shows the others. The caller
   * releases them unless it remembers them. A claim expires if it is not released.
   */
  claim(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a process shows it to its platform now. */
  isClaimed(hash: string): Promise<boolean>;
  release(hash: string): Promise<void>;
}

export function createTokenMemory({ db, now, keyring, box }: Accounts, sender: TokenSender): TokenMemory {
  const { exchangeId, keyId, clientAddress } = sender;
  const scopes = [
    keyring.mac('token exchange', exchangeId),
    ...(sender.onlyExchange ? [] : [keyring.mac('token sender', keyId, clientAddress)]),
  ];
  const claimer = sender.onlyExchange ? [exchangeId] : [keyId, clientAddress];
  const nameOf = (hash: string) => keyring.mac('token check', ...claimer, hash);
  return {
    async recall(hashes) {
      const rows = await db.query<{ hash: string; identity: Buffer }>(
        `SELECT DISTINCT ON (hash) encode(hash, 'hex') AS hash, identity FROM auth.remembered_tokens
         WHERE scope = ANY ($1) AND hash = ANY (SELECT decode(h, 'hex') FROM unnest($2::text[]) AS h) AND expires > $3`,
        [scopes, hashes, new Date(now())],
      );
      return new Map(rows.map(({ hash, identity }) => [hash, box.open(identity)]));
    },
    async remember(hash, text) {
      await db.query(
        `INSERT INTO auth.remembered_tokens (scope, hash, identity, expires)
         SELECT scope, decode($2, 'hex'), $3, $4 FROM unnest($1::bytea[]) AS scope ON CONFLICT DO NOTHING`,
        [scopes, hash, box.seal(text), new Date(now() + rememberedMs)],
      );
    },
    async claim(hashes) {
      if (hashes.length === 0) return new Set();
      const named = new Map(hashes.map((hash) => [nameOf(hash).toString('hex'), hash]));
      // In one order, so that two callers who claim the same tokens cannot wait for each other.
      const rows = await db.query<{ name: string }>(
        `INSERT INTO auth.token_checks AS t (name, until)
         SELECT decode(name, 'hex'), $2 FROM unnest($1::text[]) AS name ORDER BY name
         ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE t.until <= $3
         RETURNING encode(name, 'hex') AS name`,
        [[...named.keys()], new Date(now() + claimMs), new Date(now())],
      );
      return new Set(rows.flatMap(({ name }) => named.get(name) ?? []));
    },
    async isClaimed(hash) {
      const sql = 'SELECT FROM auth.token_checks WHERE name = $1 AND until > $2';
      return (await db.query(sql, [nameOf(hash), new Date(now())])).length > 0;
    },
    async release(hash) {
      await db.query('DELETE FROM auth.token_checks WHERE name = $1', [nameOf(hash)]);
    },
  };
}

/** One-time tokens, for all processes: true for the first use. `hash` is hex. */
export async function spendToken({ db }: Accounts, hash: string, expiresMs: number): Promise<boolean> {
  const spent = await db.query(
    `INSERT INTO auth.spent_tokens (hash, expires) VALUES (decode($1, 'hex'), $2)
     ON CONFLICT DO NOTHING RETURNING hash`,
    [hash, new Date(expiresMs)],
  );
  return spent.length > 0;
}
