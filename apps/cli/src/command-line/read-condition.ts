import { wrongUse } from './command.ts';

const relations = {
  '=': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
} as const;

/** A condition on a member of an event, in the form of the analyses. */
export interface Condition {
  readonly member: string;
  readonly is: (typeof relations)[keyof typeof relations];
  readonly value: string | number | boolean;
}

/** Reads `won=true`, `level>=10` or `boss!=spider`. A text that looks like a number is written in double quotes. */
export function readCondition(text: string): Condition {
  const [, member, sign = '', value] = /^([\w.]+)(!=|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  if (member === undefined || value === undefined || !isRelation(sign)) {
    throw wrongUse(`'${text}' is not a condition: write member=value, or !=, <, <=, >, >=`);
  }
  return { member, is: relations[sign], value: literalValue(value) };
}

/** Reads a step of a funnel: a type, then conditions separated by blanks. */
export function readStep(text: string): { readonly type: string; readonly where: Condition[] } {
  const [type = '', ...conditions] = text.trim().split(/\s+/);
  return { type, where: conditions.map(readCondition) };
}

function isRelation(sign: string): sign is keyof typeof relations {
  return Object.hasOwn(relations, sign);
}

function literalValue(text: string): Condition['value'] {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
