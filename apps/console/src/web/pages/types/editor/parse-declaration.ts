import { isExact } from './edit-members.ts';

export interface ParsedDeclaration {
  readonly declaration: Readonly<Record<string, unknown>> | null;
  /** Why the text is no JSON object; null when it is. */
  readonly fault: string | null;
}

/** Reads what is typed. The words of the fault are those of the browser's JSON parser, which name the place. */
export function parseDeclaration(text: string): ParsedDeclaration {
  try {
    const value: unknown = JSON.parse(text);
    const rounded = roundedNumber(text);
    // A page that reads and writes such a number would declare another one.
    if (rounded !== null) return { declaration: null, fault: `${rounded} ≠ ${Number(rounded)}` };
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { declaration: value as Record<string, unknown>, fault: null }
      : { declaration: null, fault: 'object { … }' };
  } catch (error) {
    return { declaration: null, fault: error instanceof Error ? error.message : 'JSON' };
  }
}

/** The first integer outside strings that a double does not keep. */
function roundedNumber(text: string): string | null {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g))
    if (!token.startsWith('"') && !isExact(token)) return token;
  return null;
}
