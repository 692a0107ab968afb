import type { Words } from './define-texts.ts';
import type { reasonTexts } from './fault-texts.ts';

type Rule = readonly [pattern: RegExp, german: (...parts: string[]) => string];

/** The sentences about a member of an event, and about a value of a declaration or of the settings. */
const rules: readonly Rule[] = [
  [/^(?:is required|missing)$/, () => 'fehlt'],
  [/^is not declared$/, () => 'ist nicht deklariert'],
  [/^is not part of an element$/, () => 'gehört nicht zu einem Element'],
  [/^is not an allowed value$/, () => 'ist kein erlaubter Wert'],
  [/^is outside the declared range$/, () => 'liegt außerhalb der deklarierten Grenzen'],
  [/^is not well-formed JSON$/, () => 'ist kein gültiges JSON'],
  [/^the body is empty$/, () => 'der Body ist leer'],
  [/^it ends too early$/, () => 'er endet zu früh'],
  [
    /^expected a double quote, found a single quote$/,
    () => 'erwartet ist ein doppeltes Anführungszeichen, gefunden ein einfaches',
  ],
  [/^a comma before the closing bracket$/, () => 'ein Komma vor der schließenden Klammer'],
  [/^expected a name in double quotes$/, () => 'erwartet ist ein Name in doppelten Anführungszeichen'],
  [
    /^more than one event: /,
    () => 'mehr als ein Event: je eines pro Zeile als application/x-ndjson an multiInsert',
  ],
  [/^is larger than the limit of an event$/, () => 'ist größer, als ein Event sein darf'],
  [/^must not be null$/, () => 'darf nicht null sein'],
  [/^must be (?:true or false|boolean)$/, () => 'muss true oder false sein'],
  [/^must be (?:an )?object$/, () => 'muss ein Objekt sein'],
  [/^must be (?:an? )?(?:array|list)$/, () => 'muss eine Liste sein'],
  [/^must be (?:a )?string$/, () => 'muss ein Text sein'],
  [/^must be (?:a )?number$/, () => 'muss eine Zahl sein'],
  [/^must be (?:an )?integer$/, () => 'muss eine ganze Zahl sein'],
  [/^must be a UUID$/, () => 'muss eine UUID sein'],
  [/^must be a version number such as 1$/, () => 'muss eine Versionsnummer wie 1 sein'],
  [/^must be between (\S+) and (\S+)$/, (least, most) => `muss zwischen ${least} und ${most} liegen`],
  [/^must be at least (-?\d+)$/, (least) => `muss mindestens ${least} sein`],
  [/^must be at most (-?\d+)$/, (most) => `darf höchstens ${most} sein`],
  [/^must be a multiple of (\S+)$/, (number) => `muss ein Vielfaches von ${number} sein`],
  [/^must have at least (\d+) items$/, (count) => `muss mindestens ${count} Einträge haben`],
  [/^must NOT have fewer than (\d+) items$/, (count) => `muss mindestens ${count} Einträge haben`],
  [/^must have at most (\d+) items$/, (count) => `darf höchstens ${count} Einträge haben`],
  [/^must NOT have more than (\d+) items$/, (count) => `darf höchstens ${count} Einträge haben`],
  [/^must have at least (\d+) characters$/, (count) => `muss mindestens ${count} Zeichen haben`],
  [/^must NOT have fewer than (\d+) characters$/, (count) => `muss mindestens ${count} Zeichen haben`],
  [/^must have at most (\d+) characters$/, (count) => `darf höchstens ${count} Zeichen haben`],
  [/^must NOT have more than (\d+) characters$/, (count) => `darf höchstens ${count} Zeichen haben`],
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
  [/^unknown$/, () => 'ist nicht bekannt'],
  [/^must be >= (\S+)$/, (least) => `muss mindestens ${least} sein`],
  [/^must be <= (\S+)$/, (most) => `darf höchstens ${most} sein`],
  [/^must be > (\S+)$/, (limit) => `muss über ${limit} liegen`],
  [/^must be < (\S+)$/, (limit) => `muss unter ${limit} liegen`],
  [/^must match pattern (.+)$/s, (pattern) => `muss zum Muster ${pattern} passen`],
  [/^must match format (.+)$/s, (format) => `muss das Format ${format} haben`],
  [/^not one of (.+)$/s, (names) => `muss eines von diesen sein: ${names}`],
  [/^can be set on one member only$/, () => 'ist nur an einem Feld möglich'],
  [/^cannot be personal$/, () => 'kann nicht personenbezogen sein'],
  [/^a declaration must be a JSON object$/, () => 'eine Deklaration muss ein JSON-Objekt sein'],
  [
    /^a declaration is nested at most (\d+) deep, including its examples$/,
    (depth) => `eine Deklaration ist höchstens ${depth} tief verschachtelt, auch in ihren Beispielen`,
  ],
  [
    /^a declaration is at most (\d+) bytes long$/,
    (bytes) => `eine Deklaration ist höchstens ${bytes} Bytes lang`,
  ],
  [/^an event must be an object$/, () => 'ein Event muss ein Objekt sein'],
  [/^at most (\d+) properties are stored$/, (count) => `höchstens ${count} Felder werden gespeichert`],
  [/^a schema must be an object$/, () => 'ein Schema muss ein Objekt sein'],
  [/^nested deeper than (\d+)$/, (depth) => `tiefer als ${depth} verschachtelt`],
  [/^is not part of the profile for (\S+)$/, (type) => `ist bei ${type} nicht möglich`],
  [
    /^belongs to one date-time member outside lists and maps$/,
    () => 'gehört an einen Zeitpunkt außerhalb von Listen und Zuordnungen',
  ],
  [
    /^a list or an object within a list or a map cannot be null: it has no stored form$/,
    () =>
      'eine Liste oder ein Objekt in einer Liste oder Zuordnung kann nicht null sein: das lässt sich nicht speichern',
  ],
  [/^cannot be combined with \$ref$/, () => 'lässt sich nicht mit $ref verbinden'],
  [/^must name a definition: (.+)$/, (form) => `muss eine Definition nennen: ${form}`],
  [
    /^refers to itself: an event has no recursive form$/,
    () => 'verweist auf sich selbst: ein Event kann sich nicht enthalten',
  ],
  [/^at most (\d+) references in a row$/, (count) => `höchstens ${count} Verweise hintereinander`],
  [/^must be one of (.+)$/s, (names) => `muss eines von diesen sein: ${names}`],
  [
    /^must be false, or the schema of the values of a map$/,
    () => 'muss false sein oder das Schema der Werte einer Zuordnung',
  ],
  [/^an object within an event requires properties$/, () => 'ein Objekt in einem Event braucht properties'],
  [/^a member name is like (.+)$/s, (pattern) => `der Name eines Feldes hat die Form ${pattern}`],
  [/^must be a list of member names$/, () => 'muss eine Liste von Namen sein'],
  [/^names "(.*)", which is not a property$/s, (name) => `nennt „${name}“, das nicht deklariert ist`],
  [/^an event must have named members$/, () => 'ein Event muss benannte Felder haben'],
  [/^a map has no named members$/, () => 'eine Zuordnung hat keine benannten Felder'],
  [/^is greater than (maxItems|maxLength|maximum)$/, (limit) => `ist größer als ${limit}`],
  [/^is required: the schema of every item$/, () => 'fehlt: das Schema jedes Eintrags'],
  [/^no integer lies between the bounds$/, () => 'zwischen den Grenzen liegt keine ganze Zahl'],
  [/^must be an integer for this type$/, () => 'muss bei diesem Typ eine ganze Zahl sein'],
  [/^must be a whole number of at least 0$/, () => 'muss eine ganze Zahl ab 0 sein'],
  [
    /^must be a string of at most (\d+) characters$/,
    (count) => `muss ein Text mit höchstens ${count} Zeichen sein`,
  ],
  [/^look-behind is not supported$/, () => 'look-behind wird nicht unterstützt'],
  [/^must be a number above 0$/, () => 'muss eine Zahl über 0 sein'],
  [/^enum and const exclude each other$/, () => 'enum und const schließen sich aus'],
  [/^must be a list with at least one value$/, () => 'muss eine Liste mit mindestens einem Wert sein'],
  [
    /^contains a value that is not of the declared type$/,
    () => 'enthält einen Wert, der nicht den deklarierten Typ hat',
  ],
  [/^repeats a value$/, () => 'wiederholt einen Wert'],
  [/^must allow a value other than null$/, () => 'muss außer null einen Wert erlauben'],
  [/^would be rounded to (\S+)$/, (number) => `würde auf ${number} gerundet`],
  [/^must match (.+)$/s, (pattern) => `muss zu ${pattern} passen`],
  [/^must be (\S+)$/, (value) => `muss ${value} sein`],
];

/** The German sentence; null for one that is not known, such as one of ClickHouse. */
export function faultGerman(message: string): string | null {
  for (const [pattern, write] of rules) {
    const match = pattern.exec(message);
    if (match !== null) return write(...match.slice(1));
  }
  return null;
}

export const reasonGerman: Words<typeof reasonTexts> = {
  missing: 'fehlt',
  unknown: 'nicht deklariert',
  typeMismatch: 'falscher Typ',
  range: 'außerhalb der Grenzen',
  tooLong: 'zu lang',
  pattern: 'passt nicht zum Muster',
  enum: 'kein erlaubter Wert',
  format: 'falsches Format',
  malformedJson: 'kein gültiges JSON',
  bodyTypeInvalid: 'falscher JSON-Typ',
  parameterInvalid: 'ungültige Angabe',
  eventTypeNotFound: 'Typ nicht deklariert',
  eventTypeVersionNotFound: 'Version nicht deklariert',
  eventTypeVersionRetired: 'Version außer Betrieb',
  notReplayable: 'nicht wiederholbar',
  refusedRow: 'Zeile abgelehnt',
  refusedRows: 'Zeilen abgelehnt',
  unreadableChunk: 'Paket nicht lesbar',
};
