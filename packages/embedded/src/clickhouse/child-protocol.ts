import type { EmbeddedFaultReason } from '../embedded-fault.ts';

/** What the parent sends first, over the IPC channel: a password has no place on a command line. */
export interface ServeCommand {
  readonly dataDir: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Whose tables of events customers may query. */
  readonly eventDatabases: readonly string[];
  /** A query that runs for longer ends the server when it cannot be cancelled; no limit when left out. */
  readonly queryLimitMs?: number | undefined;
  /** The data folder of another server, whose files the disk `first` reads. */
  readonly readsFrom?: string | undefined;
}

export type ServeReply =
  | { readonly kind: 'ready'; readonly port: number; readonly version: string }
  | { readonly kind: 'fault'; readonly reason: EmbeddedFaultReason; readonly cause: string };
