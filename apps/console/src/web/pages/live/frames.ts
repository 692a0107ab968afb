export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Cuts server-sent events out of a text that arrives in pieces. Returns a function that takes the next piece. */
export function createFrameReader(): (piece: string) => Frame[] {
  let rest = '';
  return (piece) => {
    const parts = (rest + piece).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.map(readFrame);
  };
}

function readFrame(text: string): Frame {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? 'message',
    data: fields.get('data') ?? '',
  };
}
