import type { ArrayShape, MapShape, ObjectShape, ScalarShape, Shape } from '../declaration/shape.ts';
import { storedType, varuint } from '../declaration/stored/stored-type.ts';
import type { RowWriter } from '../rows/row-writer.ts';
import { integerRule, numberRule, readInteger, readNumber } from './read-numeric.ts';
import {
  isName,
  readBoolean,
  readFalse,
  readNull,
  readTrue,
  skipSpace,
  skipValue,
} from './read-structure.ts';
import { readFormatted, readRuledText, readText, textForm, textRule } from './read-text.ts';

/**
 * Reads one JSON value at `i` and appends its stored form. Returns the offset after it, or -1 if it is not acceptable.
 */
export type Reader = (s: Buffer, i: number, w: RowWriter) => number;

/**
 * Writes the source of a reader for one declaration. It parses, validates and encodes in one pass over the bytes,
 * without intermediate values. Objects become functions that dispatch on a hash of the member name; everything else
 * calls a fixed function with a rule. Only numbers of the declaration enter the source. Names, paths and rules are
 * passed as values (`k[n]`), so a declaration cannot inject code.
 */
export function generateReader(shape: ObjectShape): Reader {
  const constants: unknown[] = [];
  const functions: string[] = [];
  const written = new Map<Shape, Map<string, string>>();
  const draft: Draft = {
    constant: (value) => `k[${constants.push(value) - 1}]`,
    once: (shape, what, write) => {
      const ofShape = written.get(shape) ?? new Map<string, string>();
      written.set(shape, ofShape);
      const text = ofShape.get(what) ?? write();
      ofShape.set(what, text);
      return text;
    },
    define: (body) => {
      const name = `f${functions.length}`;
      functions.push('');
      functions[functions.length - 1] = `function ${name}(s,i,w){${body(name)}}`;
      return name;
    },
  };
  const root = leafObject(draft, shape, '');
  const source = `"use strict";${functions.join('\n')}
return function(s,i,w){w.leaves=0;w.occurredMs=NaN;const c=w.openCount();i=${root}(s,i,w);if(i>=0)w.closeCount(c,w.leaves);return i;}`;
  return new Function('r', 'k', source)(runtime, constants);
}

const runtime = {
  isName,
  skipSpace,
  skipValue,
  readNull,
  readTrue,
  readFalse,
  readBoolean,
  readText,
  readRuledText,
  readFormatted,
  readInteger,
  readNumber,
  traps: new Set(['__proto__', 'constructor', 'prototype']),
};

interface Draft {
  /** Stores a value for the generated code, and returns the expression that reads it. */
  readonly constant: (value: unknown) => string;
  readonly define: (body: (name: string) => string) => string;
  /** What is written of a shape that many members share, once for all of them. */
  readonly once: (shape: Shape, what: string, write: () => string) => string;
}

const space = 'if(s[i]<=32)i=r.skipSpace(s,i);';
const failed = 'if(i<0)return -1;';
const full = 'if(w.at>w.most)return -1;';

/** The members of an event and of objects within it: each leaf is a path, a type code and a value. */
function leafObject(draft: Draft, shape: ObjectShape, prefix: string): string {
  return draft.define(() => {
    const cases = shape.members.map((member) => {
      const path = prefix + member.name;
      const value = member.shape;
      const read =
        value.kind === 'object'
          ? `i=${leafObject(draft, value, `${path}.`)}(s,i,w);`
          : leaf(draft, value, path);
      return value.nullable ? `if(s[i]===110)i=r.readNull(s,i);else{${read}}` : read;
    });
    return `${objectLoop(draft, shape, cases)}return i;`;
  });
}

function leaf(draft: Draft, shape: Exclude<Shape, ObjectShape>, path: string): string {
  const name = Buffer.from(path);
  const head = draft.constant(
    Uint8Array.from([...varuint(name.length), ...name, ...storedType(withoutNull(shape), false).code]),
  );
  const occurred = shape.annotations.occurredAt ? 'w.occurredMs=w.timeMs;' : '';
  return `w.put(${head});w.leaves++;${plainValue(draft, shape, false)}${occurred}`;
}

function withoutNull<S extends Shape>(shape: S): S {
  return { ...shape, nullable: false };
}

/**
 * The loop over the members of an object. Unknown and repeated names end it; required members are counted at the end.
 */
function objectLoop(draft: Draft, shape: ObjectShape, cases: readonly string[]): string {
  const words = Math.ceil(shape.members.length / 30);
  const seen = Array.from({ length: words }, (_, n) => `let m${n}=0;`).join('');
  const required = Array.from({ length: words }, (_, word) =>
    shape.members
      .slice(word * 30, word * 30 + 30)
      .reduce((mask, { required }, n) => mask | (required ? 1 << n : 0), 0),
  );
  const branches = [...groupByHash(shape)].map(([hash, members]) => {
    const tests = members.map(({ index, name }) => {
      const bit = `m${Math.floor(index / 30)}`;
      const mask = 1 << (index % 30);
      const constant = draft.constant(Uint8Array.from(Buffer.from(name)));
      return `if(r.isName(s,p,n,${constant})){if(${bit}&${mask})return -1;${bit}|=${mask};${cases[index]}}`;
    });
    return `case ${hash}:${tests.join('else ')}else return -1;break;`;
  });
  const checks = required
    .map((mask, word) => (mask === 0 ? '' : `if((m${word}&${mask})!==${mask})return -1;`))
    .join('');
  return `if(s[i]!==123)return -1;${seen}i++;${space}
if(s[i]===125){i++;}else for(;;){
if(s[i]!==34)return -1;
let h=0,p=++i,c=s[i];
while(c!==34){if(!(c>32)||c===92)return -1;h=(Math.imul(h,31)+c)|0;c=s[++i];}
const n=i-p;i++;${space}if(s[i]!==58)return -1;i++;${space}
switch(h){${branches.join('\n')}
default:return -1;}
${failed}${space}
if(s[i]===44){i++;${space}continue;}
if(s[i]===125){i++;break;}
return -1;}
${checks}`;
}

function groupByHash(shape: ObjectShape): Map<number, { index: number; name: string }[]> {
  const groups = new Map<number, { index: number; name: string }[]>();
  shape.members.forEach(({ name }, index) => {
    const hash = nameHash(name);
    const group = groups.get(hash) ?? [];
    group.push({ index, name });
    groups.set(hash, group);
  });
  return groups;
}

function nameHash(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name)) hash = (Math.imul(hash, 31) + byte) | 0;
  return hash;
}

/** A value whose type is written elsewhere: an item, a map value, or a record member. Reads `s[i]` and advances `i`. */
function plainValue(draft: Draft, shape: Shape, absentPossible: boolean): string {
  switch (shape.kind) {
    case 'object':
      return draft.once(
        shape,
        `record ${absentPossible}`,
        () => `i=${record(draft, shape, absentPossible)}(s,i,w);`,
      );
    case 'map':
      return draft.once(shape, 'map', () => `i=${map(draft, shape)}(s,i,w);`);
    case 'array':
      return draft.once(shape, 'array', () => `i=${array(draft, shape)}(s,i,w);`);
    default:
      return draft.once(shape, 'scalar', () => `i=${scalarCall(draft, shape)};`);
  }
}

function scalarCall(draft: Draft, shape: ScalarShape): string {
  switch (shape.kind) {
    case 'string': {
      const form = textForm(shape);
      if (form !== null) return `r.readFormatted(s,i,w,${draft.constant(form)})`;
      const rule = textRule(shape);
      return rule === null ? 'r.readText(s,i,w)' : `r.readRuledText(s,i,w,${draft.constant(rule)})`;
    }
    case 'integer':
      return `r.readInteger(s,i,w,${draft.constant(integerRule(shape))})`;
    case 'number':
      return `r.readNumber(s,i,w,${draft.constant(numberRule(shape))})`;
    default: {
      if (shape.allowed === null || shape.allowed.length === 2) return 'r.readBoolean(s,i,w)';
      return shape.allowed[0] === true ? 'r.readTrue(s,i,w)' : 'r.readFalse(s,i,w)';
    }
  }
}

/** An item or a map value, with the null flag of ClickHouse's Nullable if it can be null. */
function flaggedValue(draft: Draft, shape: Shape, absentPossible: boolean): string {
  const isScalar = shape.kind !== 'object' && shape.kind !== 'map' && shape.kind !== 'array';
  if (!isScalar) return plainValue(draft, shape, absentPossible);
  const value = plainValue(draft, shape, absentPossible);
  if (shape.nullable) return `if(s[i]===110){i=r.readNull(s,i);w.byte(1);}else{w.byte(0);${value}}`;
  return absentPossible ? `w.byte(0);${value}` : value;
}

function array(draft: Draft, shape: ArrayShape): string {
  return draft.define(() => {
    const item = flaggedValue(draft, shape.items, false);
    const most = shape.maxItems === Number.POSITIVE_INFINITY ? '' : `if(n>${shape.maxItems})return -1;`;
    return `if(s[i]!==91)return -1;const at=w.openCount();let n=0;i++;${space}
if(s[i]===93){i++;}else for(;;){n++;${item}${failed}${full}${space}
if(s[i]===44){i++;${space}continue;}
if(s[i]===93){i++;break;}
return -1;}
if(n<${shape.minItems})return -1;${most}w.closeCount(at,n);return i;`;
  });
}

function map(draft: Draft, shape: MapShape): string {
  return draft.define(() => {
    const value = flaggedValue(draft, shape.values, false);
    return `if(s[i]!==123)return -1;const at=w.openCount(),names=new Set();i++;${space}
if(s[i]===125){i++;}else for(;;){i=r.readText(s,i,w);${failed}
const name=w.lastText();if(names.has(name)||r.traps.has(name))return -1;names.add(name);
${space}if(s[i]!==58)return -1;i++;${space}${value}${failed}${full}${space}
if(s[i]===44){i++;${space}continue;}
if(s[i]===125){i++;break;}
return -1;}
w.closeCount(at,names.size);return i;`;
  });
}

/**
 * An object within a list or a map: a tuple with its members in declared order. Clients can send them in any order, so
 * the first pass finds them and the second writes them.
 */
function record(draft: Draft, shape: ObjectShape, absentPossible: boolean): string {
  return draft.define(() => {
    const slots = shape.members.map((_, n) => `let b${n}=-1,e${n}=-1;`).join('');
    const find = shape.members.map((_, n) => `b${n}=i;i=r.skipValue(s,i);e${n}=i;`);
    const write = shape.members.map((member, n) => {
      const optional = absentPossible || !member.required;
      const present = `i=b${n};${flaggedValue(draft, member.shape, optional)}if(i!==e${n})return -1;`;
      return `if(b${n}>=0){${present}}else{${absent(member.shape)}}`;
    });
    return `${slots}${objectLoop(draft, shape, find)}const end=i;${write.join('')}return end;`;
  });
}

/** The tuple value of an absent optional member. An absent required member is rejected before. */
function absent(shape: Shape): string {
  if (shape.kind === 'array' || shape.kind === 'map') return 'w.byte(0);';
  if (shape.kind === 'object') return shape.members.map((member) => absent(member.shape)).join('');
  return 'w.byte(1);';
}
