import { escapePointer } from './reading/declaration-faults.ts';
import { listedText } from './reading/listed-text.ts';
import {
  type ArrayShape,
  type IntegerShape,
  isListed,
  type Member,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
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
  array: compareArrays,
  string: compareStrings,
  integer: compareIntegers,
  number: compareNumbers,
  boolean: (before, after, spot) => compareAllowed<boolean>(before.allowed, after.allowed, spot),
};

function compareAnnotations(before: Shape, after: Shape, spot: Spot): void {
  const was = before.annotations;
  const is = after.annotations;
  if (was.description !== is.description || was.title !== is.title) {
    compatible(spot, { change: 'described', message: 'the title or description changed' });
  }
  if (was.deprecated !== is.deprecated) {
    compatible(spot, {
      change: 'deprecation',
      message: is.deprecated ? 'now deprecated' : 'no longer deprecated',
      values: [was.deprecated, is.deprecated],
    });
  }
  if (was.personal !== is.personal) {
    compatible(spot, {
      change: 'personal',
      message: is.personal ? 'now a personal datum' : 'no longer a personal datum',
      values: [was.personal, is.personal],
    });
  }
  if (was.occurredAt !== is.occurredAt) {
    compatible(spot, {
      change: 'occurredAt',
      message: is.occurredAt ? 'now the time of the event' : 'no longer the time of the event',
      values: [was.occurredAt, is.occurredAt],
    });
  }
}

/** Compares one bound. `direction` is 1 for an upper bound and -1 for a lower one. */
interface Limit {
  readonly name: string;
  readonly direction: 1 | -1;
}

function compareLimit<T extends number | bigint>(
  limit: Limit,
  [before, after]: readonly [T, T],
  spot: Spot,
): void {
  if (before === after) return;
  const widened = limit.direction === 1 ? after > before : after < before;
  const words = `from ${before} to ${after}`;
  const values: Values = [before, after];
  if (widened)
    compatible(spot, { change: `${limit.name}Widened`, message: `${limit.name} widened ${words}`, values });
  else
    breaking(spot, { change: `${limit.name}Narrowed`, message: `${limit.name} narrowed ${words}`, values });
}

function compareArrays(before: ArrayShape, after: ArrayShape, spot: Spot): void {
  compareLimit({ name: 'minItems', direction: -1 }, [before.minItems, after.minItems], spot);
  compareLimit({ name: 'maxItems', direction: 1 }, [before.maxItems, after.maxItems], spot);
  compareShapes(before.items, after.items, under(spot, '*'));
}

function compareStrings(before: StringShape, after: StringShape, spot: Spot): void {
  compareLimit({ name: 'minLength', direction: -1 }, [before.minLength, after.minLength], spot);
  compareLimit({ name: 'maxLength', direction: 1 }, [before.maxLength, after.maxLength], spot);
  compareAllowed<string>(before.allowed, after.allowed, spot);
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

function compareIntegers(before: IntegerShape, after: IntegerShape, spot: Spot): void {
  const wasText = before.format === 'int64' || before.format === 'uint64';
  const isText = after.format === 'int64' || after.format === 'uint64';
  if (wasText && !isText)
    breaking(spot, { change: 'formatChanged', message: 'decimal strings are no longer accepted' });
  else if (before.format !== after.format)
    compatible(spot, {
      change: 'formatChanged',
      message: `the format is now ${after.format}`,
      values: [before.format, after.format],
    });
  compareLimit({ name: 'minimum', direction: -1 }, [before.minimum, after.minimum], spot);
  compareLimit({ name: 'maximum', direction: 1 }, [before.maximum, after.maximum], spot);
  compareSteps(before.multipleOf, after.multipleOf, spot);
  compareAllowed<bigint>(before.allowed, after.allowed, spot);
}

function compareNumbers(before: NumberShape, after: NumberShape, spot: Spot): void {
  compareLimit({ name: 'minimum', direction: -1 }, [before.minimum, after.minimum], spot);
  compareLimit({ name: 'maximum', direction: 1 }, [before.maximum, after.maximum], spot);
  compareLimit(
    { name: 'exclusiveMinimum', direction: -1 },
    [before.exclusiveMinimum, after.exclusiveMinimum],
    spot,
  );
  compareLimit(
    { name: 'exclusiveMaximum', direction: 1 },
    [before.exclusiveMaximum, after.exclusiveMaximum],
    spot,
  );
  compareSteps(before.multipleOf, after.multipleOf, spot);
  compareAllowed<number>(before.allowed, after.allowed, spot);
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

function compareAllowed<T>(before: readonly T[] | null, after: readonly T[] | null, spot: Spot): void {
  if (before === null && after === null) return;
  if (after === null) {
    compatible(spot, { change: 'enumDropped', message: 'any value is now accepted' });
    return;
  }
  if (before === null) {
    breaking(spot, { change: 'enumAdded', message: 'only listed values are now accepted' });
    return;
  }
  const gone = before.filter((value) => !isListed(after, value));
  const added = after.filter((value) => !isListed(before, value));
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
