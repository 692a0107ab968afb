import { type ExactJson, limits, parseExactJson, writeJson } from '@tickrate/contract';
import { generateReader } from '../../reader/generate-reader.ts';
import { skipValue } from '../../reader/read-structure.ts';
import type { RowWriter } from '../../rows/row-writer.ts';
import type { Spent } from '../cost/declaration-budget.ts';
import { buildAutomaton, patternBounds } from '../cost/pattern-weight.ts';
import { weighPatterns } from '../cost/weigh-patterns.ts';
import { type EventFault, explainEvent } from '../explain-event.ts';
import type { ObjectShape } from '../shape.ts';
import { type StoredColumn, storedColumns } from '../stored/stored-columns.ts';
import type { DeclarationFault, DeclaredPattern } from './declaration-faults.ts';
import { readDeclaration } from './read-declaration.ts';

export type DeclarationResult =
  | { readonly ok: true; readonly declaration: CompiledDeclaration }
  | { readonly ok: false; readonly faults: readonly DeclarationFault[] };

export interface CompiledDeclaration {
  readonly shape: ObjectShape;
  readonly columns: readonly StoredColumn[];
  readonly hasOccurredAt: boolean;
  /** Reads events of this type. Created at first use, because most versions are never sent to a given process. */
  readonly codec: () => EventCodec;
  readonly patterns: readonly DeclaredPattern[];
  /** About how much memory it takes, which grows when it is first used. */
  bytes(): number;
  /**
   * Compiles what the reader needs, and yields every few milliseconds so that a serving process can do other work.
   * Without this call, the first event that uses a pattern waits for its compilation.
   */
  prepare(): Generator<void, void>;
}

export interface EventCodec {
  /**
   * Reads and checks the event at `at`, and appends its `data` member to `writer`. Sets `writer.occurredMs` to the
   * declared time of the event, or NaN. Returns the offset after the event, or -1 if the event must be explained. After
   * -1, the caller drops the partial row from `writer`.
   */
  read(source: Buffer, at: number, writer: RowWriter): number;
  /**
   * Parses the event at `at` and reports up to `most` faults. Throws a SystemError if the text is not acceptable JSON.
   * The work is bounded by that for the largest acceptable event.
   */
  explain(source: Buffer, at: number, most: number): Explanation;
}

export type Explanation =
  | { readonly kind: 'faults'; readonly faults: readonly EventFault[]; readonly end: number }
  /** Its closing bracket is beyond the limit. Its content was not read. */
  | { readonly kind: 'tooLarge'; readonly end: number }
  /** Acceptable, but with escaped member names. `source` is the same event without these escapes. */
  | { readonly kind: 'respelled'; readonly source: Buffer; readonly end: number };

/**
 * Compiles a declaration into the parts that validate, store and show its events, or returns every fault. Also compiles
 * its patterns, which can take seconds: see `weighPatterns`.
 */
export function compileDeclaration(document: unknown): DeclarationResult {
  const result = readAcceptedDeclaration(document);
  if (!result.ok) return result;
  const faults = weighPatterns(result.declaration.patterns);
  return faults.length === 0 ? result : { ok: false, faults };
}

/** The same for a document whose patterns were already weighed. Compiles no pattern and takes milliseconds. */
export function readAcceptedDeclaration(document: unknown): DeclarationResult {
  const { shape, faults, patterns, spent } = readDeclaration(document);
  if (shape === null) return { ok: false, faults };
  const columns = storedColumns(shape);
  let codec: EventCodec | null = null;
  let automata = 0;
  const declaration: CompiledDeclaration = {
    shape,
    columns,
    patterns,
    hasOccurredAt: hasOccurredAt(shape),
    bytes: () => bytesOf(spent, { hasCodec: codec !== null, automata }),
    codec: () => {
      codec ??= createCodec(shape);
      return codec;
    },
    *prepare() {
      for (const { pattern } of patterns) {
        const verdict = yield* buildAutomaton(pattern.expression(), patternBounds.weight);
        automata += bytesPerPattern + (verdict.ok ? verdict.weight * bytesPerStep : 0);
        yield;
      }
      this.codec();
    },
  };
  return { ok: true, declaration };
}

/*
 * Estimates of the heap that one declaration occupies, for the bounded cache. Measured once, on Node 26, after a garbage
 * collection, as the mean of 100 declarations of flat objects: 72 kB for 200 integers and 220 kB with their reader, 22 kB and
 * 67 kB for 20 lists of 50 texts. The estimates for these are 322 kB, 1.1 MB, 171 kB and 255 kB: 4 to 8 times as much. The
 * margin is for what was not measured: nested shapes, and the code that Node compiles when the reader runs.
 */
const bytesPerSchema = { read: 1_500, written: 4_000 } as const;
const bytesPerValue = 100;
const bytesPerPattern = 20_000;
const bytesPerStep = 3;

function bytesOf(spent: Spent, { hasCodec, automata }: { hasCodec: boolean; automata: number }): number {
  const ofSchemas = spent.schemas * (bytesPerSchema.read + (hasCodec ? bytesPerSchema.written : 0));
  return 10_000 + ofSchemas + spent.values * bytesPerValue + 2 * spent.characters + automata;
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
      const readable = closed < 0 ? source.subarray(0, at + limits.eventBytes) : source;
      const { value, end } = parseExactJson(readable, at);
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
