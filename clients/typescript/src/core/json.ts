export type Json = Readonly<Record<string, unknown>>;

/** The value, if it is an object and no list. */
export function objectOf(value: unknown): Json | undefined {
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : undefined;
}

/** The object that a text is; empty if it is none. */
export function parseObject(text: string): Json {
  return objectOf(parseJson(text)) ?? {};
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
