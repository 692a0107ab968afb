import { CommandFault, commandCodes } from '../command.ts';

/** What the value of a member has to be, as the analyses take it. */
export interface Condition {
  readonly member: string;
  readonly is: string;
  readonly value: string | number | boolean;
}

const relations: Readonly<Record<string, string>> = {
  '=': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** `won=true`, `level>=10`, `boss!=spider`; a text that looks like a number stands in double quotes. */
export function readCondition(text: string): Condition {
  const [, member, sign, value] = /^([\w.]+)(!=|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  const is = relations[sign ?? ''];
  if (member === undefined || is === undefined || value === undefined) {
    throw new CommandFault(`'${text}' is no condition: write member=value, or !=, <, <=, >, >=`, {
      code: commandCodes.wrongUse,
    });
  }
  return { member, is, value: meantBy(value) };
}

/** A step of a funnel: a type, and after blanks what holds for it. */
export function readStep(text: string): { readonly type: string; readonly where: Condition[] } {
  const [type = '', ...conditions] = text.trim().split(/\s+/);
  return { type, where: conditions.map(readCondition) };
}

function meantBy(text: string): Condition['value'] {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
