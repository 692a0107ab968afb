import { wrongUse } from '../command-line/command.ts';
import { parseJson } from './parse-json.ts';
import type { ImportedRecord } from './read-records.ts';

/** An element of multiInsert. */
export interface ImportedEvent {
  readonly eventType: string;
  readonly occurredAt?: number | string;
  readonly event: ImportedRecord;
}
/** Returns a text with the reason if the record is not an event. */
export type MapRecord = (record: ImportedRecord) => ImportedEvent | string;

export const knownExports = ['gameanalytics', 'playfab', 'posthog'] as const;
export type KnownExport = (typeof knownExports)[number];

interface ExportShape {
  readonly type: readonly string[];
  readonly time: string;
  /** The first of these objects has the members of the event. A record with none of them has them itself. */
  readonly members: readonly string[];
}

/** The places of the name, the time and the members of an event in the files of these products. */
const shapes: Readonly<Record<KnownExport, ExportShape>> = {
  gameanalytics: { type: ['data.category'], time: 'data.client_ts', members: ['data'] },
  playfab: {
    type: ['EventName', 'FullName.Name', 'FullName_Name'],
    time: 'Timestamp',
    members: ['Payload', 'EventData'],
  },
  posthog: { type: ['event'], time: 'timestamp', members: ['properties'] },
};

export interface Mapping {
  readonly type: string | undefined;
  readonly time: string | undefined;
  /** `member=path` or `member=path:int`. Empty uses every member unchanged. */
  readonly map: readonly string[];
  readonly from: KnownExport | undefined;
}

export function createMapRecord({ type, time, map, from }: Mapping): MapRecord {
  const shape = from === undefined ? null : shapes[from];
  if (type === undefined && shape === null) throw wrongUse('import needs --type TYPE or --from PRODUCT');
  const members = map.map(readMember);
  const timePath = time ?? shape?.time;
  return (asRead) => {
    const record = shape === null ? asRead : unfolded(asRead, shape.members);
    const eventType = type ?? typeOf(record, shape?.type ?? []);
    if (eventType === null) return `/eventType: is in none of ${shape?.type.join(', ')}`;
    const event = members.length > 0 ? mapped(record, members) : wholeEvent(record, shape);
    const occurredAt = timePath === undefined ? undefined : readTime(valueAt(record, timePath));
    return { eventType, ...(occurredAt !== undefined && { occurredAt }), event };
  };
}

interface MappedMember {
  readonly name: string;
  readonly path: string;
  readonly convert: (value: unknown) => unknown;
}

const conversions: Readonly<Record<string, (value: unknown) => unknown>> = {
  text: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  // A decimal text keeps every digit of a 64-bit integer.
  int: (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value),
  number: Number,
  bool: (value) => value === true || value === 'true' || value === '1',
};

function readMember(text: string): MappedMember {
  const [, name, path, kind] = /^([A-Za-z_]\w*)=([^:]+)(?::(\w+))?$/.exec(text) ?? [];
  const convert = kind === undefined ? (value: unknown) => value : conversions[kind];
  if (name === undefined || path === undefined || convert === undefined)
    throw wrongUse(`--map: expected MEMBER=COLUMN or MEMBER=COLUMN:int|number|bool|text, got '${text}'`);
  return { name, path, convert };
}

/** CSV and tables keep an object as a text of JSON. */
function unfolded(record: ImportedRecord, names: readonly string[]): ImportedRecord {
  const texts = names.filter((name) => typeof record[name] === 'string');
  return {
    ...record,
    ...Object.fromEntries(texts.map((name) => [name, unfoldedText(String(record[name]))])),
  };
}

/** A text that is not JSON stays as it is. */
function unfoldedText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function wholeEvent(record: ImportedRecord, shape: ExportShape | null): ImportedRecord {
  const place = shape?.members.find((name) => Object.hasOwn(record, name));
  return place === undefined ? record : (record[place] as ImportedRecord);
}

/** An empty field of CSV means no value. */
function mapped(record: ImportedRecord, members: readonly MappedMember[]): ImportedRecord {
  return Object.fromEntries(
    members.flatMap(({ name, path, convert }) => {
      const value = valueAt(record, path);
      return value === undefined || value === null || value === '' ? [] : [[name, convert(value)]];
    }),
  );
}

/** The member with this name, including its dots, or the member at this path. */
function valueAt(record: ImportedRecord, path: string): unknown {
  if (Object.hasOwn(record, path)) return record[path];
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as ImportedRecord)[name];
  }
  return value;
}

function typeOf(record: ImportedRecord, paths: readonly string[]): string | null {
  const [name] = paths.map((path) => valueAt(record, path)).filter((value) => typeof value === 'string');
  return typeof name === 'string' ? name.toLowerCase().replaceAll(/[^a-z0-9_.]+/g, '_') : null;
}

/** Seconds or milliseconds since 1970, RFC 3339, or `2026-01-31 12:00:00`, which is read as UTC. */
function readTime(value: unknown): number | string | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(value))
    return `${value.replace(' ', 'T')}Z`;
  if (typeof value === 'string' && Number.isNaN(Number(value))) return value;
  const number = value === '' || value === null ? Number.NaN : Number(value);
  if (!(number >= 0)) return undefined;
  return number < 1e11 ? Math.round(number * 1000) : Math.round(number);
}
