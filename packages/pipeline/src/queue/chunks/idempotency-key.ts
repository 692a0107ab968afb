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

/** The key of rows that came with this Idempotency-Key, or of a part of them, and the checksum of their body. */
export function requestKey(scope: SenderScope, text: string, checksum: number): string {
  return `${short(`request\n${scope}\n${text}`)}.${(checksum | 0).toString(36)}`;
}

/** The name identifies a repeat. The body shows whether the repeat has the same body; null for the key of an event. */
export function readKey(key: string): { readonly name: string; readonly body: number | null } {
  const dot = key.indexOf('.');
  if (dot < 0) return { name: key, body: null };
  return { name: key.slice(0, dot), body: Number.parseInt(key.slice(dot + 1), 36) };
}

/** Kept as a hash: short, and no client's text is stored. 132 bits make an accidental match impossible. */
function short(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
