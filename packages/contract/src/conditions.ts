const relations = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
} as const;

/** A condition on a member of an event, as the stream and the analyses have it. */
export interface MemberCondition {
  readonly member: string;
  readonly is: (typeof relations)[keyof typeof relations];
  readonly value: string | number | boolean;
}

export type ReadConditions =
  | { readonly ok: true; readonly conditions: readonly MemberCondition[] }
  /** The part that is no condition. */
  | { readonly ok: false; readonly part: string };

/** The server accepts no more. */
const mostConditions = 10;

const separatedByCommas = /"(?:[^"\\]|\\.)*"|(,|\s+and\s+)|[^",\s]+|\s+|"/giu;
const separatedByBlanks = /"(?:[^"\\]|\\.)*"|(\s+)|[^"\s]+|"/gu;

/**
 * Reads one condition: `level > 3`, `mode == ranked` or `name = "Ann \"A\""`. Null when the text is none. A text that
 * looks like a number or a boolean, or that contains a quote or a sign, is quoted as in JSON.
 */
export function readCondition(text: string): MemberCondition | null {
  const [, member, sign, written] = /^([^\s=!<>"]+)\s*(==|!=|<=|>=|=|<|>)\s*(.+)$/su.exec(text.trim()) ?? [];
  if (member === undefined || sign === undefined || written === undefined || !isRelation(sign)) return null;
  const value = readValue(written);
  return value === null ? null : { member, is: relations[sign], value };
}

/** Reads `level > 3, mode = "ranked"`, with commas or `and` between conditions. An event must meet every condition. */
export function readConditions(text: string): ReadConditions {
  return readParts(partsOf(text, separatedByCommas));
}

/** Reads a step of a funnel: a type, then conditions. Blanks outside quotes separate them. */
export function readStep(text: string): { readonly type: string; readonly where: ReadConditions } {
  const [type = '', ...parts] = partsOf(text, separatedByBlanks);
  return { type, where: readParts(parts) };
}

function readParts(parts: readonly string[]): ReadConditions {
  const conditions: MemberCondition[] = [];
  for (const part of parts) {
    const condition = readCondition(part);
    if (condition === null || conditions.length === mostConditions) return { ok: false, part };
    conditions.push(condition);
  }
  return { ok: true, conditions };
}

function partsOf(text: string, pieces: RegExp): string[] {
  const parts = [''];
  for (const [piece, separator] of text.matchAll(pieces)) {
    if (separator === undefined) parts.push(`${parts.pop() ?? ''}${piece}`);
    else parts.push('');
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function isRelation(sign: string): sign is keyof typeof relations {
  return Object.hasOwn(relations, sign);
}

function readValue(written: string): MemberCondition['value'] | null {
  if (written === 'true' || written === 'false') return written === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(written)) return Number(written);
  if (!written.startsWith('"')) return /["=<>]/.test(written) ? null : written;
  try {
    const text: unknown = JSON.parse(written);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}
