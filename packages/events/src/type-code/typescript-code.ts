import type { ArrayShape, Member, ObjectShape, ScalarShape, Shape } from '../declaration/shape.ts';
import { takesDecimalText } from '../declaration/shape.ts';
import { commentLines, quoted } from './member-comment.ts';
import { typeName } from './type-name.ts';

export interface CodedType {
  /** The name of the event type. */
  readonly name: string;
  readonly version: number;
  readonly shape: ObjectShape;
}

// A template type in the written code, not a template in this file.
const decimalText = ['number | `$', '{bigint}`'].join('');

/** Words that no function can be called. */
const reserved = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval'.split(
    ' ',
  ),
);

/** An interface for the events of one version, and a function that makes what `track` of the SDK takes. */
export function typescriptCode({ name, version, shape }: CodedType): string {
  const about = [`Event type ${name}, version ${version}.`, shape.annotations.description];
  const heading = comment(about, '');
  const type = typeName(name);
  const declared =
    shape.members.length === 0
      ? `${heading}export type ${type} = ${objectText(shape, '')};\n`
      : `${heading}export interface ${type} ${objectText(shape, '')}\n`;
  return `${declared}\n${makerText(type, { name, version })}`;
}

function makerText(type: string, { name, version }: { name: string; version: number }): string {
  const lower = type.charAt(0).toLowerCase() + type.slice(1);
  const maker = reserved.has(lower) || lower === type ? `make${type}` : lower;
  const made = `{ eventType: ${quoted(name)}, eventTypeVersion: ${version}, event }`;
  return `export function ${maker}(event: ${type}) {\n  return ${made};\n}\n`;
}

function objectText(shape: ObjectShape, indent: string): string {
  if (shape.members.length === 0) return 'Record<string, never>';
  const inner = `${indent}  `;
  return ['{', ...shape.members.map((member) => memberText(member, inner)), `${indent}}`].join('\n');
}

function memberText({ name, required, shape }: Member, indent: string): string {
  const { annotations } = shape;
  const about = comment(
    [annotations.description ?? annotations.title, annotations.deprecated ? '@deprecated' : null],
    indent,
  );
  return `${about}${indent}readonly ${name}${required ? '' : '?'}: ${typeText(shape, indent)};`;
}

function typeText(shape: Shape, indent: string): string {
  const text = plainText(shape, indent);
  return shape.nullable ? `${text} | null` : text;
}

function plainText(shape: Shape, indent: string): string {
  switch (shape.kind) {
    case 'object':
      return objectText(shape, indent);
    case 'map':
      return `Readonly<Record<string, ${typeText(shape.values, indent)}>>`;
    case 'array':
      return listText(shape, indent);
    default:
      return scalarText(shape);
  }
}

function listText({ items }: ArrayShape, indent: string): string {
  const text = typeText(items, indent);
  return /^\w+$/.test(text) ? `readonly ${text}[]` : `ReadonlyArray<${text}>`;
}

function scalarText(shape: ScalarShape): string {
  if (shape.allowed !== null) return shape.allowed.map(literal).join(' | ');
  if (shape.kind === 'integer') return takesDecimalText(shape) ? decimalText : 'number';
  return shape.kind;
}

function literal(value: string | number | boolean | bigint): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'bigint') return String(value);
  const isSafe = Number.isSafeInteger(Number(value));
  return isSafe ? value.toString() : quoted(value.toString());
}

function comment(lines: readonly (string | null)[], indent: string): string {
  const commented = commentLines(lines).map((line) => line.replaceAll('*/', '* /'));
  if (commented.length === 0) return '';
  if (commented.length === 1) return `${indent}/** ${commented[0]} */\n`;
  return [`${indent}/**`, ...commented.map((line) => `${indent} * ${line}`), `${indent} */\n`].join('\n');
}
