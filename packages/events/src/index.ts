export { compareDeclarations, type DeclarationChange } from './declaration/compare-declarations.ts';
export { ViewBudget } from './declaration/cost/view-budget.ts';
export { patternFault, tooComplex, weighPatterns } from './declaration/cost/weigh-patterns.ts';
export type { EventFault } from './declaration/explain-event.ts';
export {
  type CompiledDeclaration,
  compileDeclaration,
  type DeclarationResult,
  readAcceptedDeclaration,
} from './declaration/reading/compile-declaration.ts';
export {
  type DeclarationFault,
  type DeclaredPattern,
  escapePointer,
} from './declaration/reading/declaration-faults.ts';
export { type EventTypeFile, parseEventTypeFile } from './declaration/reading/event-type-file.ts';
export { roundedIntegers } from './declaration/rounded-integers.ts';
export { createPattern } from './declaration/shape.ts';
export type { StoredColumn } from './declaration/stored/stored-columns.ts';
export { maskPersonal } from './mask-personal.ts';
export { skipSpace, skipValue } from './reader/read-structure.ts';
export { createEventIds, type EventIds } from './rows/event-ids.ts';
export {
  appendRow,
  createRowFrame,
  type EventEnvelope,
  type EventSender,
  eventColumns,
  plainEnvelope,
  type RowFrame,
  type RowSender,
  type RowType,
  stampChunkId,
} from './rows/event-row.ts';
export { maskRows, type RowMask } from './rows/mask-rows.ts';
export { type DecodedRow, readRows, type StoredValue } from './rows/read-rows.ts';
export { RowWriter } from './rows/row-writer.ts';
export { codeLanguages, writeTypeCode } from './type-code/type-code.ts';
