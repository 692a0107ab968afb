/** The idempotency key of an event that has an id of its own: 32 hexadecimal digits, as no other key is. */
export function eventKey(eventId: string): string {
  return eventId.replaceAll('-', '').toLowerCase();
}
