import type { Language } from './define-texts.ts';
import { catalogueText } from './problem-texts.ts';

interface Fault {
  readonly reason: string;
  readonly message: string;
}

type Rule = readonly [pattern: RegExp, german: (...parts: string[]) => string];

/** The sentences with which the gateway rejects a member of an event, and the German ones. */
const rules: readonly Rule[] = [
  [/^is required$/, () => 'fehlt'],
  [/^is not declared$/, () => 'ist nicht deklariert'],
  [/^is not part of an element$/, () => 'gehört nicht zu einem Element'],
  [/^is not an allowed value$/, () => 'ist kein erlaubter Wert'],
  [/^is outside the declared range$/, () => 'liegt außerhalb der deklarierten Grenzen'],
  [/^is not well-formed JSON$/, () => 'ist kein gültiges JSON'],
  [/^is larger than the limit of an event$/, () => 'ist größer, als ein Event sein darf'],
  [/^must not be null$/, () => 'darf nicht null sein'],
  [/^must be true or false$/, () => 'muss true oder false sein'],
  [/^must be an object$/, () => 'muss ein Objekt sein'],
  [/^must be an array$/, () => 'muss eine Liste sein'],
  [/^must be a string$/, () => 'muss ein Text sein'],
  [/^must be a number$/, () => 'muss eine Zahl sein'],
  [/^must be an integer$/, () => 'muss eine ganze Zahl sein'],
  [/^must be a UUID$/, () => 'muss eine UUID sein'],
  [/^must be a version number such as 1$/, () => 'muss eine Versionsnummer wie 1 sein'],
  [/^must be between (\S+) and (\S+)$/, (least, most) => `muss zwischen ${least} und ${most} liegen`],
  [/^must be at least (-?\d+)$/, (least) => `muss mindestens ${least} sein`],
  [/^must be at most (-?\d+)$/, (most) => `darf höchstens ${most} sein`],
  [/^must be a multiple of (\S+)$/, (number) => `muss ein Vielfaches von ${number} sein`],
  [/^must have at least (\d+) items$/, (count) => `muss mindestens ${count} Einträge haben`],
  [/^must have at most (\d+) items$/, (count) => `darf höchstens ${count} Einträge haben`],
  [/^must have at least (\d+) characters$/, (count) => `muss mindestens ${count} Zeichen haben`],
  [/^must have at most (\d+) characters$/, (count) => `darf höchstens ${count} Zeichen haben`],
  [/^must have the format (\S+)$/, (format) => `muss das Format ${format} haben`],
  [/^must be at most (\d+) bytes long$/, (count) => `darf höchstens ${count} Bytes lang sein`],
  [
    /^must be RFC 3339 or milliseconds since 1970, from the year 1900 to 2299$/,
    () => 'muss RFC 3339 oder Millisekunden seit 1970 sein, von 1900 bis 2299',
  ],
  [/^only its beginning was kept$/, () => 'nur sein Anfang wurde aufbewahrt'],
  [/^what was kept is no event$/, () => 'aufbewahrt wurde kein Event'],
  [
    /^the payload does not hold the rows that it should$/,
    () => 'der Inhalt hat nicht die Zeilen, die er haben sollte',
  ],
  [/^must be 1 to (\d+) visible characters$/, (most) => `muss 1 bis ${most} sichtbare Zeichen haben`],
  [/^must match (.+)$/s, (pattern) => `muss zu ${pattern} passen`],
];

/** Why an event or one of its members was rejected. In English, and for a sentence of ClickHouse, as the server says it. */
export function faultText({ reason, message }: Fault, language: Language): string {
  if (language === 'en') return message;
  for (const [pattern, write] of rules) {
    const [, ...parts] = pattern.exec(message) ?? [];
    if (pattern.test(message)) return write(...parts);
  }
  return catalogueText(reason, language) ?? message;
}

/** The reasons in a few words: English, then German. */
const names: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  missing: { en: 'missing member', de: 'fehlt' },
  unknown: { en: 'not declared', de: 'nicht deklariert' },
  typeMismatch: { en: 'wrong type', de: 'falscher Typ' },
  range: { en: 'out of range', de: 'außerhalb der Grenzen' },
  tooLong: { en: 'too long', de: 'zu lang' },
  pattern: { en: 'pattern not matched', de: 'passt nicht zum Muster' },
  enum: { en: 'not an allowed value', de: 'kein erlaubter Wert' },
  format: { en: 'wrong format', de: 'falsches Format' },
  malformedJson: { en: 'malformed JSON', de: 'kein gültiges JSON' },
  bodyTypeInvalid: { en: 'wrong JSON type', de: 'falscher JSON-Typ' },
  parameterInvalid: { en: 'invalid parameter', de: 'ungültige Angabe' },
  eventTypeNotFound: { en: 'type not declared', de: 'Typ nicht deklariert' },
  eventTypeVersionNotFound: { en: 'version not declared', de: 'Version nicht deklariert' },
  eventTypeVersionRetired: { en: 'version retired', de: 'Version außer Betrieb' },
  notReplayable: { en: 'cannot be replayed', de: 'nicht wiederholbar' },
  refusedRow: { en: 'row refused', de: 'Zeile abgelehnt' },
  refusedRows: { en: 'rows refused', de: 'Zeilen abgelehnt' },
  unreadableChunk: { en: 'unreadable chunk', de: 'Paket nicht lesbar' },
};

/** A reason in a table or a chart. An unknown one is its code. */
export function reasonName(reason: string, language: Language): string {
  return names[reason]?.[language] ?? reason;
}
