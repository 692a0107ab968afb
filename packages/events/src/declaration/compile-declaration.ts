import { type ExactJson, limits, parseExactJson, writeJson } from '@tickrate/contract';
import { generateReader } from '../reader/generate-reader.ts';
import { skipValue } from '../reader/read-structure.ts';
import type { RowWriter } from '../rows/row-writer.ts';
import type { DeclarationFault } from './declaration-faults.ts';
import { type EventFault, explainEvent } from './explain-event.ts';
import { buildAutomaton, patternBounds } from './pattern-weight.ts';
import { readDeclaration } from './read-declaration.ts';
import type { ObjectShape } from './shape.ts';
import { type StoredColumn, storedColumns } from './stored-columns.ts';
import { type DeclaredPattern, weighPatterns } from './weigh-patterns.ts';

export type DeclarationResult =
  | { readonly ok: true; readonly declaration: CompiledDeclaration }
  | { readonly ok: false; readonly faults: readonly DeclarationFault[] };

export interface CompiledDeclaration {
  readonly shape: ObjectShape;
  readonly columns: readonly StoredColumn[];
  readonly hasOccurredAt: boolean;
  /** Reads events of this type. Made at the first use: most versions of most types are never sent to one process. */
  readonly codec: () => EventCodec;
  readonly patterns: readonly DeclaredPattern[];
  /**
   * Compiles what reading events needs, and yields every few milliseconds: a process that serves others does the rest in
   * later turns. Without it the first event that meets a pattern pays for it.
   */
  prepare(): Generator<void, void>;
}

export interface EventCodec {
  /**
   * Reads the event at `at`, checks it, and appends its `data` member to `writer`, whose `occurredMs` is then the
   * declared time of the event or NaN. Returns the offset behind the event, or -1 when it has to be explained;
   * `writer` then holds a part of the row, which the caller drops.
   */
  read(source: Buffer, at: number, writer: RowWriter): number;
  /**
   * Parses the event at `at` and tells every fault, up to `most`. Throws a SystemError when the text is not acceptable
   * JSON. Does no more work than the largest event that is acceptable takes.
   */
  explain(source: Buffer, at: number, most: number): Explanation;
}

export type Explanation =
  | { readonly kind: 'faults'; readonly faults: readonly EventFault[]; readonly end: number }
  /** Its brackets close beyond the limit; its content was not looked at. */
  | { readonly kind: 'tooLarge'; readonly end: number }
  /** Acceptable after all, in an unusual spelling (escaped member names): `source` is the same event, spelled plainly. */
  | { readonly kind: 'respelled'; readonly source: Buffer; readonly end: number };

/**
 * Turns a declaration into what validates, stores and shows its events; or tells all that is outside the profile. Its
 * patterns are compiled for that, which can take seconds: see `weighPatterns`.
 */
export function compileDeclaration(document: unknown): DeclarationResult {
  const result = readAcceptedDeclaration(document);
  if (!result.ok) return result;
  const faults = weighPatterns(result.declaration.patterns);
  return faults.length === 0 ? result : { ok: false, faults };
}

/** The same of a document whose patterns were weighed before: compiles none of them, and takes milliseconds. */
export function readAcceptedDeclaration(document: unknown): DeclarationResult {
  const { shape, faults, patterns } = readDeclaration(document);
  if (shape === null) return { ok: false, faults };
  const columns = storedColumns(shape);
  let codec: EventCodec | null = null;
  const declaration: CompiledDeclaration = {
    shape,
    columns,
    patterns,
    hasOccurredAt: hasOccurredAt(shape),
    codec: () => {
      codec ??= createCodec(shape);
      return codec;
    },
    *prepare() {
      for (const { pattern } of patterns) {
        yield* buildAutomaton(pattern.expression(), patternBounds.weight);
        yield;
      }
      this.codec();
    },
  };
  return { ok: true, declaration };
}

function createCodec(shape: ObjectShape): EventCodec {
  const read = generateReader(shape);
  return {
    read: (source, at, writer) => {
      const end = read(source, at, writer);
      return end - at > limits.eventBytes ? -1 : end;
    },
    explain: (source, at, most) => {
      const closed = skipValue(source, at);
      if (closed - at > limits.eventBytes) return { kind: 'tooLarge', end: closed };
      const within = closed < 0 ? source.subarray(0, at + limits.eventBytes) : source;
      const { value, end } = parseExactJson(within, at);
      return explanation(shape, value, { end, most });
    },
  };
}

function explanation(
  shape: ObjectShape,
  value: ExactJson,
  { end, most }: { end: number; most: number },
): Explanation {
  const faults = explainEvent(shape, value, most);
  return faults.length > 0
    ? { kind: 'faults', faults, end }
    : { kind: 'respelled', source: writeJson(value), end };
}

function hasOccurredAt(shape: ObjectShape): boolean {
  return shape.members.some(
    ({ shape: member }) =>
      member.annotations.occurredAt || (member.kind === 'object' && hasOccurredAt(member)),
  );
}
