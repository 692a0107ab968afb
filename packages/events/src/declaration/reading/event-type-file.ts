import { parseExactDocument, SystemError } from '@tickrate/contract';
import { roundedIntegers } from '../rounded-integers.ts';
import { escapePointer } from './declaration-faults.ts';

/** The content of a file that declares one event type: `{ "name", "description"?, "declaration" }`. */
export interface EventTypeFile {
  readonly name: string;
  readonly description: string | null;
  /** A JSON Schema document in the profile of declarations. */
  readonly declaration: unknown;
}

export interface FileFault {
  /** JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
}

export type EventTypeFileResult =
  | { readonly ok: true; readonly file: EventTypeFile }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

const members = new Set(['name', 'description', 'declaration', '$schema']);

/** Returns the declared event type, or every fault in the file. Does not check the declaration itself. */
export function parseEventTypeFile(text: string): EventTypeFileResult {
  const value = parseJson(text);
  if (value instanceof Error) return refused([{ pointer: '', message: `is not JSON: ${value.message}` }]);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused([{ pointer: '', message: 'must be an object with name, description and declaration' }]);
  }
  const { name, description = null, declaration } = value as Record<string, unknown>;
  const faults: FileFault[] = [];
  if (typeof name !== 'string')
    faults.push({ pointer: '/name', message: 'must be the name of the event type' });
  if (typeof description !== 'string' && description !== null) {
    faults.push({ pointer: '/description', message: 'must be a text' });
  }
  if (declaration === undefined) {
    faults.push({ pointer: '/declaration', message: 'must be the JSON Schema of the events' });
  }
  faults.push(...inexact(text));
  for (const member of Object.keys(value)) {
    if (!members.has(member))
      faults.push({ pointer: `/${escapePointer(member)}`, message: 'is not a known member' });
  }
  if (faults.length > 0 || typeof name !== 'string') return refused(faults);
  return {
    ok: true,
    file: { name, description: typeof description === 'string' ? description : null, declaration },
  };
}

/** Faults that `JSON.parse` does not report: repeated members, and integers that it rounds. */
function inexact(text: string): FileFault[] {
  try {
    return roundedIntegers(parseExactDocument(Buffer.from(text)));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return [{ pointer: '', message: error.fields ?? error.message }];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

function refused(faults: readonly FileFault[]): EventTypeFileResult {
  return { ok: false, faults };
}
