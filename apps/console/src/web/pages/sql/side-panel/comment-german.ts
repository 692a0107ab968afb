/** What the server says of the columns that every table has. Members have the description of their declaration. */
const comments: Readonly<Record<string, string>> = {
  'All events of every type.': 'Alle Events aller Typen.',
  'The name of the event type.': 'Der Name des Event-Typs.',
  'The event.': 'Das Event.',
  'Identifies the event; a UUIDv7 unless the sender chose one.':
    'Kennung des Events; eine UUIDv7, wenn der Absender keine gewählt hat.',
  "When it happened, corrected by the skew of the sender's clock.":
    'Wann es geschah, berichtigt um die Abweichung der Uhr des Absenders.',
  'When it arrived.': 'Wann es ankam.',
  "When it happened by the sender's own clock.": 'Wann es nach der Uhr des Absenders geschah.',
  'The version of the event type that it was sent as.': 'Die Version des Event-Typs beim Senden.',
  'The account of the session; empty without one.': 'Das Konto der Sitzung; leer ohne Sitzung.',
  'The session that it was sent with; empty without one.': 'Die Sitzung beim Senden; leer ohne Sitzung.',
  'The kind of key that it was sent with.': 'Die Art des Schlüssels beim Senden.',
  "The prefix of the sender's address; empty unless it is kept.":
    'Der Anfang der Adresse des Absenders; leer, wenn er nicht aufbewahrt wird.',
  'The SDK that sent it.': 'Das SDK, das es gesendet hat.',
  'The version of that SDK.': 'Die Version dieses SDKs.',
};

export function commentGerman(comment: string): string | null {
  return Object.hasOwn(comments, comment) ? (comments[comment] ?? null) : null;
}
