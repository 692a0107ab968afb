import { shownDescription } from '../reading/listed-text.ts';
import type { ObjectShape, Shape } from '../shape.ts';
import { storedType } from './stored-type.ts';

/** One leaf of an event type: a path in the stored JSON, and a column of the typed view. */
export interface StoredColumn {
  /** Dotted: "level", "position.x". */
  readonly path: string;
  /** The ClickHouse type of the stored value. The outer type is never Nullable. */
  readonly type: string;
  /** Whether the column can be null. Lists and maps cannot: without a value they are empty. */
  readonly nullable: boolean;
  /** The first 1,000 characters of it. */
  readonly description: string | null;
  readonly deprecated: boolean;
  readonly personal: boolean;
}

export function storedColumns(shape: ObjectShape): StoredColumn[] {
  return leaves(shape, { path: '', optional: false, deprecated: false, personal: false });
}

interface Above {
  readonly path: string;
  readonly optional: boolean;
  readonly deprecated: boolean;
  readonly personal: boolean;
}

function leaves(shape: ObjectShape, above: Above): StoredColumn[] {
  return shape.members.flatMap((member) => {
    const { annotations, nullable } = member.shape;
    const here = {
      path: above.path === '' ? member.name : `${above.path}.${member.name}`,
      optional: above.optional || !member.required || nullable,
      deprecated: above.deprecated || annotations.deprecated,
      personal: above.personal || annotations.personal || holdsPersonal(member.shape),
    };
    if (member.shape.kind === 'object') {
      return leaves(member.shape, { ...here, personal: above.personal || annotations.personal });
    }
    const isScalar = member.shape.kind !== 'array' && member.shape.kind !== 'map';
    return [
      {
        path: here.path,
        type: storedType(member.shape, false).text.replace(/^Nullable\((.*)\)$/, '$1'),
        nullable: isScalar && here.optional,
        description: describe(annotations.description ?? annotations.title),
        deprecated: here.deprecated,
        personal: here.personal,
      },
    ];
  });
}

function describe(text: string | null): string | null {
  return text === null ? null : shownDescription(text);
}

/** A list or map is one column: it is personal as a whole when anything within it is. */
function holdsPersonal(shape: Shape): boolean {
  if (shape.annotations.personal) return true;
  if (shape.kind === 'array') return holdsPersonal(shape.items);
  if (shape.kind === 'map') return holdsPersonal(shape.values);
  return shape.kind === 'object' && shape.members.some((member) => holdsPersonal(member.shape));
}
