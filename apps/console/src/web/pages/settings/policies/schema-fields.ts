import type { policySchemas } from '@tickrate/contract';
import type { Field } from './policy-form.tsx';
import type { Path } from './policy-values.ts';

/** The schemas of the contract, which the build of the pages writes into them. */
declare const POLICY_SCHEMAS: typeof policySchemas;

export function schemaOf<N extends keyof typeof policySchemas>(name: N): (typeof policySchemas)[N] {
  return POLICY_SCHEMAS[name];
}

interface Schema {
  readonly type?: unknown;
  readonly properties?: object;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly default?: unknown;
}

/**
 * `member`, `memberHelp`, and `memberValue` for each value of a choice. `memberNone` is for a choice that may be absent.
 * `unset` is what an empty number means.
 */
type FieldWords = Readonly<Record<string, unknown>>;

const secrets: ReadonlySet<string> = new Set(['publisherKey', 'developerKey']);

/** A field for each member of an object, with the schema's choices and defaults. Flags are last; maps have no field. */
export function fieldsOf(schema: { readonly properties: object }, path: Path, words: FieldWords): Field[] {
  const fields = Object.entries(schema.properties).flatMap(([name, member]: [string, Schema]) =>
    member.properties === undefined
      ? fieldOf({ ...member }, [...path, name], words)
      : fieldsOf({ properties: member.properties }, [...path, name], words),
  );
  return [...fields.filter(({ kind }) => kind !== 'flag'), ...fields.filter(({ kind }) => kind === 'flag')];
}

function fieldOf(schema: Schema, path: Path, words: FieldWords): Field[] {
  const name = path.at(-1) ?? '';
  const textAt = (key: string) => (typeof words[key] === 'string' ? words[key] : undefined);
  const help = textAt(`${name}Help`);
  const field = { path, label: textAt(name) ?? name, ...(help !== undefined && { help }) };
  const standard = typeof schema.default === 'string' ? schema.default : undefined;
  const values = valuesOf(schema);
  if (values.length > 0) {
    const choices = values.map((value) => ({ value, label: textAt(name + capitalized(value)) ?? value }));
    if (standard !== undefined) return [{ ...field, kind: 'choice', standard, choices }];
    const none = { value: '', label: textAt(`${name}None`) ?? '' };
    return [{ ...field, kind: 'choice', choices: [none, ...choices] }];
  }
  switch (schema.type ?? schema.anyOf?.[0]?.type) {
    case 'boolean':
      return [{ ...field, kind: 'flag', standard: schema.default === true }];
    case 'array':
      return [{ ...field, kind: 'list' }];
    case 'integer':
      return [{ ...field, kind: 'number', placeholder: textAt('unset') ?? '' }];
    case 'string':
      return [{ ...field, kind: secrets.has(name) ? 'secret' : 'text', placeholder: standard ?? '' }];
    default:
      return [];
  }
}

function valuesOf({ enum: values, anyOf = [] }: Schema): readonly string[] {
  return values ?? anyOf.flatMap((each) => (typeof each.const === 'string' ? [each.const] : []));
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
