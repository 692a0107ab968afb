interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value at a JSON pointer in a text, without changing the text. For a member that is missing, its object.
 * Null if the text is not JSON down to that place.
 */
export function findPointer(text: string, pointer: string): Place | null {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const start = skipSpace(text, 0);
  try {
    return descend(text, start, names);
  } catch {
    return null;
  }
}

/** The value that is wrong, as it was sent. Empty where a member is missing, or the text ends before it. */
export function faultyValue(entry: {
  readonly reason: string;
  readonly pointer: string | null;
  readonly beginning: string | null;
}): string {
  const { reason, pointer, beginning } = entry;
  if (pointer === null || beginning === null || reason === 'missing') return '';
  const place = findPointer(beginning, pointer);
  return place === null ? '' : beginning.slice(place.start, place.end);
}

function descend(text: string, start: number, [name, ...rest]: readonly string[]): Place {
  const whole = { start, end: endOfValue(text, start) };
  if (name === undefined) return whole;
  const child = childOf(text, start, name);
  return child === null ? whole : descend(text, child, rest);
}

/** Where the member or item begins; null without it. */
function childOf(text: string, start: number, name: string): number | null {
  const open = text[start];
  if (open !== '{' && open !== '[') return null;
  let at = skipSpace(text, start + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index += 1) {
    let key = String(index);
    if (open === '{') {
      const end = endOfString(text, at);
      key = JSON.parse(text.slice(at, end));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (key === name) return at;
    at = skipSpace(text, endOfValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== '}' && text[at] !== ']') throw new Error('not JSON');
  }
  return null;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] === '{' || text[start] === '[') return endOfNested(text, start);
  const end = start + (/^[^\s,\]}]*/.exec(text.slice(start))?.[0].length ?? 0);
  if (end === start) throw new Error('not JSON');
  return end;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error('not JSON');
}

function endOfString(text: string, start: number): number {
  const found = /^"(?:[^"\\]|\\.)*"/s.exec(text.slice(start));
  if (found === null) throw new Error('not JSON');
  return start + found[0].length;
}

function skipSpace(text: string, at: number): number {
  return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
}
