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

/** Reads `level > 3, mode = "ranked"`. An event must meet every condition. A text that looks like a number is quoted. */
export function readConditions(text: string): ReadConditions {
  const conditions: MemberCondition[] = [];
  for (const part of partsOf(text)) {
    const condition = readCondition(part);
    if (condition === null || conditions.length === mostConditions) return { ok: false, part };
    conditions.push(condition);
  }
  return { ok: true, conditions };
}

/** Cuts at commas and `and` outside quotes. */
function partsOf(text: string): string[] {
  const pieces = text.match(/"(?:[^"\\]|\\.)*"|,|\s+and\s+|[^",\s]+|\s+|"/giu) ?? [];
  const parts = [''];
  for (const piece of pieces) {
    if (piece === ',' || /^\s+and\s+$/iu.test(piece)) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${piece}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function readCondition(part: string): MemberCondition | null {
  const [, member, sign, written] = /^([^\s=!<>"]+)\s*(==|!=|<=|>=|=|<|>)\s*(.+)$/su.exec(part) ?? [];
  if (member === undefined || sign === undefined || written === undefined || !isRelation(sign)) return null;
  const value = readValue(written);
  return value === null ? null : { member, is: relations[sign], value };
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
