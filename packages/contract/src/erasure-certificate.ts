import { createHash } from 'node:crypto';

/** How many there were, by event type. */
export type CountsByType = Readonly<Record<string, number>>;

export interface ErasureCounts {
  /** Rows of sign-in, by what they are: the account, its identities, sessions, credentials. */
  readonly account: CountsByType;
  readonly events: CountsByType;
  readonly quarantine: CountsByType;
  readonly deadLetters: CountsByType;
  /** Dead letters that cannot be read and named the account: emptied as a whole. */
  readonly unreadableDeadLetters: number;
}

/** What was erased of one account in one project, where and when. The account itself is told by a hash only. */
export interface ErasureCertificate {
  readonly format: 'tickrate-erasure-1';
  readonly id: string;
  readonly projectId: string;
  /** SHA-256 of the account's id, in hex. */
  readonly accountHash: string;
  readonly mode: 'remove' | 'mask';
  readonly requestedBy: string;
  /** RFC 3339, as all times here. */
  readonly requested: string;
  /** Everything that was received until then is covered. */
  readonly receivedUntil: string;
  readonly completed: string;
  readonly removed: ErasureCounts;
  /** What a count found afterwards. */
  readonly remaining: ErasureCounts;
  /** SHA-256 of the canonical JSON of all the rest, in hex. */
  readonly digest: string;
}

export function sealCertificate(statement: Omit<ErasureCertificate, 'digest'>): ErasureCertificate {
  return { ...statement, digest: digestOf(statement) };
}

/** Whether not one character of it was changed since it was made. */
export function isCertificateIntact(certificate: ErasureCertificate): boolean {
  const { digest, ...statement } = certificate;
  return digest === digestOf(statement);
}

export function hashAccount(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex');
}

function digestOf(statement: object): string {
  return createHash('sha256').update(canonicalText(statement)).digest('hex');
}

/** RFC 8785 for what certificates hold: names in order, no space. */
function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
}
