import { nowMs } from '../../../time/clock.ts';
import { isSchema, readMembers, type Schema } from './edit-members.ts';

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  uuid: '019ab2c4-5d6e-7f80-9123-456789abcdef',
  email: 'ada@example.com',
  uri: 'https://example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

/** A value that fits a schema, from its examples and limits. A pattern is left to the reader. */
export function sampleOf(schema: unknown): unknown {
  if (!isSchema(schema)) return {};
  const { const: only, enum: values, examples, default: standard, type } = schema;
  const given = [only, ...listOf(examples), standard, ...listOf(values)].find((value) => value != null);
  if (given !== undefined) return given;
  switch (Array.isArray(type) ? type.find((name) => name !== 'null') : type) {
    case 'object':
      return Object.fromEntries(readMembers(schema).map(({ name, schema: each }) => [name, sampleOf(each)]));
    case 'array':
      return Array.from({ length: Math.max(1, numberAt(schema, 'minItems') ?? 1) }, () =>
        sampleOf(schema['items']),
      );
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'string':
      return schema['format'] === 'date-time'
        ? now()
        : (formats[String(schema['format'])] ?? sampleText(schema));
    default:
      return {};
  }
}

/** Of an event that happens now: an older time would put it into the past of every chart. */
function now(): string {
  return `${new Date(nowMs()).toISOString().slice(0, 19)}Z`;
}

function sampleNumber(schema: Schema): number {
  const step = numberAt(schema, 'multipleOf') ?? 1;
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const least = numberAt(schema, 'minimum') ?? (above === undefined ? undefined : above + step);
  const most = numberAt(schema, 'maximum') ?? (below === undefined ? undefined : below - step);
  return Math.ceil(Math.min(Math.max(step, least ?? step), most ?? Number.POSITIVE_INFINITY) / step) * step;
}

function sampleText(schema: Schema): string {
  return 'text'.padEnd(numberAt(schema, 'minLength') ?? 0, '_').slice(0, numberAt(schema, 'maxLength'));
}

function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
