import type { RowOf } from '../../api/call.ts';
import { isSchema, kindOf, type Schema } from '../types/editor/edit-members.ts';
import { faultyValue } from './find-pointer.ts';

interface Mended {
  /** As paths with dots. */
  readonly members: readonly string[];
  readonly declaration: Schema;
}

type Rejected = Pick<RowOf<'GET /v1/quarantine'>, 'reason' | 'pointer' | 'beginning'>;

/** The declaration with `int64`, which also accepts text, for each integer that was sent as text. Null if none was. */
export function acceptText(declaration: Schema, rejected: readonly Rejected[]): Mended | null {
  const changed = structuredClone(declaration);
  const members = new Set<string>();
  for (const entry of rejected) {
    const path = entry.pointer?.slice(1) ?? '';
    const schema = /^"-?\d{1,19}"$/.test(faultyValue(entry)) ? schemaAt(changed, path.split('/')) : null;
    if (schema === null || kindOf(schema) !== 'integer' || 'format' in schema) continue;
    Object.assign(schema, { format: 'int64' });
    members.add(path.replaceAll('/', '.'));
  }
  return members.size === 0 ? null : { members: [...members], declaration: changed };
}

function schemaAt(schema: Schema, [name, ...rest]: readonly string[]): Schema | null {
  if (name === undefined) return schema;
  const inner = isSchema(schema.properties) ? schema.properties[name] : schema.items;
  return isSchema(inner) ? schemaAt(inner, rest) : null;
}
