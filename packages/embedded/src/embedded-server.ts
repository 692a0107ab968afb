export interface EmbeddedServer {
  readonly name: 'postgres' | 'clickhouse';
  /** With credentials; for PostgreSQL with the database's name too. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Stops the process, and kills it after about five seconds. Resolves when it has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Of ClickHouse: the databases whose table `events` may be queried as one project; the default is `database`. */
  readonly eventDatabases?: readonly string[];
  readonly onLog?: (line: string) => void;
  /** For data that can be lost: nothing is synced to disk. */
  readonly fast?: boolean;
  /**
   * Only for a ClickHouse without data of its own: a query that runs longer is cancelled, and ends the server if that
   * fails.
   */
  readonly queryLimitMs?: number;
  /** The data folder of another ClickHouse, whose tables this one may read over their files. */
  readonly readsFrom?: string;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}
