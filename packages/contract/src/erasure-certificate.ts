import { createHash } from 'node:crypto';
import { canonicalJson } from './json/canonical-json.ts';

/** Counts by event type. */
export type CountsByType = Readonly<Record<string, number>>;

export interface ErasureCounts {
  /** Erased rows by kind: the account, its identities, sessions and credentials, or those of all accounts of the project. */
  readonly account: CountsByType;
  readonly events: CountsByType;
  readonly quarantine: CountsByType;
  readonly deadLetters: CountsByType;
  /** Unreadable dead letters that named the account. They are emptied completely. */
  readonly unreadableDeadLetters: number;
}

/**
 * States which data of one account, or of a whole project, was erased, where and when. It identifies the account only by
 * a hash.
 */
export interface ErasureCertificate {
  readonly format: 'tickrate-erasure-1';
  readonly id: string;
  readonly projectId: string;
  /** SHA-256 of the account's id, in hex. Null: the whole project. */
  readonly accountHash: string | null;
  readonly mode: 'remove' | 'mask';
  readonly requestedBy: string;
  /** RFC 3339, like all times here. */
  readonly requested: string;
  /** The erasure covers every event received until this time. */
  readonly receivedUntil: string;
  readonly completed: string;
  readonly removed: ErasureCounts;
  /** Counts after the erasure. */
  readonly remaining: ErasureCounts;
  /** SHA-256 of the canonical JSON of all other members, in hex. */
  readonly digest: string;
}

export function sealCertificate(statement: Omit<ErasureCertificate, 'digest'>): ErasureCertificate {
  return { ...statement, digest: digestOf(statement) };
}

/** Whether the certificate is unchanged since it was made. */
export function isCertificateIntact(certificate: ErasureCertificate): boolean {
  const { digest, ...statement } = certificate;
  return digest === digestOf(statement);
}

export function hashAccount(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex');
}

function digestOf(statement: object): string {
  return createHash('sha256').update(canonicalJson(statement)).digest('hex');
}
