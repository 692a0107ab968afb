import { escapePointer } from './reading/declaration-faults.ts';
import { listedText } from './reading/listed-text.ts';
import {
  type IntegerShape,
  isListed,
  type Member,
  type NumberShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
  type StringShape,
  takesDecimalText,
} from './shape.ts';

export type ChangeKind = 'compatible' | 'breaking';

/**
 * One difference between two versions. It is breaking if the newer version can reject an event that the older accepts.
 */
export interface DeclarationChange {
  /** JSON pointer of the member within the event; `*` stands for every item or map value. */
  readonly pointer: string;
  readonly kind: ChangeKind;
  readonly change: string;
  /** In English. */
  readonly message: string;
  /** The values that the message names, for a sentence in another language. Null if it names none. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Declared {
  readonly shape: ObjectShape;
}

export function compareDeclarations(before: Declared, after: Declared): DeclarationChange[] {
  const changes: DeclarationChange[] = [];
  compareObjects(before.shape, after.shape, { pointer: '', changes });
  return changes;
}

interface Spot {
  readonly pointer: string;
  readonly changes: DeclarationChange[];
}

/** The earlier and the later value. */
type Values = readonly [before: unknown, after: unknown];

interface Difference {
  readonly change: string;
  readonly message: string;
  readonly values?: Values;
}

function breaking(spot: Spot, difference: Difference): void {
  add(spot, 'breaking', difference);
}

function compatible(spot: Spot, difference: Difference): void {
  add(spot, 'compatible', difference);
}

function add(spot: Spot, kind: ChangeKind, { change, message, values = [null, null] }: Difference): void {
  const [before, after] = values.map((value) => (value === null ? null : String(value)));
  spot.changes.push({
    pointer: spot.pointer,
    kind,
    change,
    message,
    before: before ?? null,
    after: after ?? null,
  });
}

function under(spot: Spot, name: string): Spot {
  return { ...spot, pointer: `${spot.pointer}/${name}` };
}

function compareObjects(before: ObjectShape, after: ObjectShape, spot: Spot): void {
  const later = new Map(after.members.map((member) => [member.name, member]));
  const earlier = new Set(before.members.map((member) => member.name));
  for (const member of before.members) {
    const at = under(spot, escapePointer(member.name));
    const now = later.get(member.name);
    if (now === undefined) breaking(at, { change: 'removed', message: 'the member is no longer declared' });
    else compareMembers(member, now, at);
  }
  for (const { name, required } of after.members) {
    if (earlier.has(name)) continue;
    const at = under(spot, escapePointer(name));
    if (required) breaking(at, { change: 'addedRequired', message: 'a new member is required' });
    else compatible(at, { change: 'added', message: 'a new optional member' });
  }
}

function compareMembers(before: Member, after: Member, spot: Spot): void {
  if (!before.required && after.required)
    breaking(spot, { change: 'nowRequired', message: 'the member is now required' });
  if (before.required && !after.required)
    compatible(spot, { change: 'nowOptional', message: 'the member is now optional' });
  compareShapes(before.shape, after.shape, spot);
}

function compareShapes(before: Shape, after: Shape, spot: Spot): void {
  if (before.nullable && !after.nullable)
    breaking(spot, { change: 'nullRefused', message: 'null is no longer accepted' });
  if (!before.nullable && after.nullable)
    compatible(spot, { change: 'nullAccepted', message: 'null is now accepted' });
  compareAnnotations(before, after, spot);
  if (before.kind !== after.kind) {
    breaking(spot, {
      change: 'retyped',
      message: `the type changed from ${before.kind} to ${after.kind}`,
      values: [before.kind, after.kind],
    });
    return;
  }
  // Both have the same kind. The compiler cannot infer this from the look-up.
  const compare = comparisons[before.kind] as (before: Shape, after: Shape, spot: Spot) => void;
  compare(before, after, spot);
}

const comparisons: {
  readonly [K in Shape['kind']]: (
    before: Extract<Shape, { kind: K }>,
    after: Extract<Shape, { kind: K }>,
    spot: Spot,
  ) => void;
} = {
  object: compareObjects,
  map: (before, after, spot) => compareShapes(before.values, after.values, under(spot, '*')),
  array(before, after, spot) {
    compareBounds(before, after, spot);
    compareShapes(before.items, after.items, under(spot, '*'));
  },
  string: compareStrings,
  integer(before, after, spot) {
    compareIntegerFormats(before, after, spot);
    compareNumbers(before, after, spot);
  },
  number: compareNumbers,
  boolean: compareAllowed,
};

const flags = [
  { flag: 'deprecated', change: 'deprecation', what: 'deprecated' },
  { flag: 'personal', change: 'personal', what: 'a personal datum' },
  { flag: 'occurredAt', change: 'occurredAt', what: 'the time of the event' },
] as const;

function compareAnnotations(before: Shape, after: Shape, spot: Spot): void {
  const was = before.annotations;
  const is = after.annotations;
  if (was.description !== is.description || was.title !== is.title) {
    compatible(spot, { change: 'described', message: 'the title or description changed' });
  }
  for (const { flag, change, what } of flags) {
    if (was[flag] === is[flag]) continue;
    const message = `${is[flag] ? 'now' : 'no longer'} ${what}`;
    compatible(spot, { change, message, values: [was[flag], is[flag]] });
  }
}

/** The bounds of every kind of value: 1 for an upper bound and -1 for a lower one. */
const bounds = [
  { name: 'minItems', direction: -1 },
  { name: 'maxItems', direction: 1 },
  { name: 'minLength', direction: -1 },
  { name: 'maxLength', direction: 1 },
  { name: 'minimum', direction: -1 },
  { name: 'maximum', direction: 1 },
  { name: 'exclusiveMinimum', direction: -1 },
  { name: 'exclusiveMaximum', direction: 1 },
] as const;

type Bounds = Readonly<Partial<Record<(typeof bounds)[number]['name'], number | bigint>>>;

function compareBounds(before: Bounds, after: Bounds, spot: Spot): void {
  for (const { name, direction } of bounds) {
    const [was, is] = [before[name], after[name]];
    if (was === undefined || is === undefined || was === is) continue;
    const widened = direction === 1 ? is > was : is < was;
    const words = `from ${was} to ${is}`;
    const values: Values = [was, is];
    if (widened) compatible(spot, { change: `${name}Widened`, message: `${name} widened ${words}`, values });
    else breaking(spot, { change: `${name}Narrowed`, message: `${name} narrowed ${words}`, values });
  }
}

function compareStrings(before: StringShape, after: StringShape, spot: Spot): void {
  compareBounds(before, after, spot);
  compareAllowed(before, after, spot);
  const was = before.pattern?.source ?? null;
  const is = after.pattern?.source ?? null;
  if (was !== is && is === null)
    compatible(spot, { change: 'patternDropped', message: 'the pattern was removed' });
  if (was !== is && is !== null)
    breaking(spot, { change: 'patternChanged', message: `the pattern is now ${is}`, values: [was, is] });
  if (before.format !== after.format) {
    breaking(spot, {
      change: 'formatChanged',
      message: `the format changed from ${before.format} to ${after.format}`,
      values: [before.format, after.format],
    });
  }
}

function compareIntegerFormats(before: IntegerShape, after: IntegerShape, spot: Spot): void {
  if (takesDecimalText(before) && !takesDecimalText(after))
    breaking(spot, { change: 'formatChanged', message: 'decimal strings are no longer accepted' });
  else if (before.format !== after.format)
    compatible(spot, {
      change: 'formatChanged',
      message: `the format is now ${after.format}`,
      values: [before.format, after.format],
    });
}

function compareNumbers(
  before: IntegerShape | NumberShape,
  after: IntegerShape | NumberShape,
  spot: Spot,
): void {
  compareBounds(before, after, spot);
  compareSteps(before.multipleOf, after.multipleOf, spot);
  compareAllowed(before, after, spot);
}

function compareSteps(before: bigint | number | null, after: bigint | number | null, spot: Spot): void {
  if (before === after) return;
  if (after === null) compatible(spot, { change: 'multipleOfDropped', message: 'multipleOf was removed' });
  else
    breaking(spot, {
      change: 'multipleOfChanged',
      message: `must now be a multiple of ${after}`,
      values: [before, after],
    });
}

function compareAllowed({ allowed: before }: ScalarShape, { allowed: after }: ScalarShape, spot: Spot): void {
  if (before === null && after === null) return;
  if (after === null) {
    compatible(spot, { change: 'enumDropped', message: 'any value is now accepted' });
    return;
  }
  if (before === null) {
    breaking(spot, { change: 'enumAdded', message: 'only listed values are now accepted' });
    return;
  }
  const gone = before.filter((value) => !isListed<unknown>(after, value));
  const added = after.filter((value) => !isListed<unknown>(before, value));
  if (gone.length > 0)
    breaking(spot, {
      change: 'enumNarrowed',
      message: `no longer accepted: ${listedText(gone)}`,
      values: [listedText(gone), null],
    });
  if (added.length > 0)
    compatible(spot, {
      change: 'enumWidened',
      message: `now accepted: ${listedText(added)}`,
      values: [null, listedText(added)],
    });
}
