import { hash } from 'node:crypto';

/**
 * Whose keys and ids these are: within a project, those of one sender say nothing about another's. An account is one
 * sender in all its sessions; a key is one with those that it replaced and that replace it.
 */
export type SenderScope = string & { readonly scope: unique symbol };

export function senderScope({
  accountId,
  keyLine,
}: {
  /** Null or '' for a key without an account. */
  readonly accountId: string | null;
  readonly keyLine: string | null;
}): SenderScope {
  return (accountId ? `account:${accountId}` : `key:${keyLine}`) as SenderScope;
}

/** The key of an event that has an id of its own, however that is spelled. */
export function eventKey(scope: SenderScope, eventId: string): string {
  return short(`event\n${scope}\n${eventId.toLowerCase()}`);
}

/** The key of what came with this Idempotency-Key, or a part of it. */
export function requestKey(scope: SenderScope, text: string): string {
  return short(`request\n${scope}\n${text}`);
}

/** Kept as a hash: short, and no client's text is stored. 132 bits make an accidental match impossible. */
function short(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
