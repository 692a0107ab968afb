import { hash } from 'node:crypto';

/**
 * The sender that owns the keys and ids: two senders of a project may use the same ones. An account is one sender in
 * all its sessions. An API key and the keys of its rotation line are one sender.
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

/** The key of an event with an id. It is the same for every spelling of the id. */
export function eventKey(scope: SenderScope, eventId: string): string {
  return short(`event\n${scope}\n${eventId.toLowerCase()}`);
}

/** The key of rows that were sent with this Idempotency-Key, or of a part of them, and the checksum of their body. */
export function requestKey(scope: SenderScope, text: string, checksum: number): string {
  return `${short(`request\n${scope}\n${text}`)}.${(checksum | 0).toString(36)}`;
}

/** The name identifies a repeat. The body shows whether the repeat has the same body; null for the key of an event. */
export function readKey(key: string): { readonly name: string; readonly body: number | null } {
  const dot = key.indexOf('.');
  if (dot < 0) return { name: key, body: null };
  return { name: key.slice(0, dot), body: Number.parseInt(key.slice(dot + 1), 36) };
}

/** Stored as a hash, which is short and contains no text of a client. With 132 bits, no two keys match by accident. */
function short(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
