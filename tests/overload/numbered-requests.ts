export interface RequestTarget {
  readonly port: number;
  readonly apiKey: string;
  readonly path: string;
  readonly eventsPerRequest: number;
}

/** Prepared requests whose event numbers are overwritten in place. */
export interface NumberedRequests {
  /** The events have the numbers from `first` on. All numbers have as many digits as `firstNumber`. */
  from(first: number): Buffer;
}

/** Numbers from here on have all the same number of digits. */
export const firstNumber = 1_000_000_000_000;
const digits = String(firstNumber).length;
const zero = 48;
/** Enough different bodies that events in one chunk share words only. */
const templates = 64;
const words = Array.from({ length: 4_000 }, () => Math.random().toString(36).slice(2, 8));
const textCharacters = 180;

export function createNumberedRequests(target: RequestTarget): NumberedRequests {
  const made = Array.from({ length: templates }, () => templateOf(target));
  let taken = 0;
  return {
    from(first) {
      const { request, places } = made[taken++ % templates] ?? templateOf(target);
      const bytes = Buffer.allocUnsafe(request.length);
      request.copy(bytes);
      for (const [index, at] of places.entries()) writeDigits(bytes, at, first + index);
      return bytes;
    },
  };
}

function templateOf({ port, path, apiKey, eventsPerRequest }: RequestTarget): {
  request: Buffer;
  places: readonly number[];
} {
  const events = Array.from({ length: eventsPerRequest }, eventText);
  const body = `[${events.join(',')}]`;
  const head = `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${apiKey}\r\n`;
  const intro = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const eventCharacters = events[0]?.length ?? 0;
  const places = events.map((_, index) => intro.length + 1 + index * (eventCharacters + 1) + '{"n":'.length);
  return { request: Buffer.from(intro + body, 'latin1'), places };
}

/** All of one length. */
function eventText(): string {
  let text = '';
  while (text.length < textCharacters) text += `${words[Math.floor(Math.random() * words.length)]} `;
  return `{"n":${firstNumber},"text":"${text.slice(0, textCharacters)}"}`;
}

function writeDigits(bytes: Buffer, at: number, number: number): void {
  let left = number;
  for (let place = at + digits - 1; place >= at; place--) {
    const rest = Math.floor(left / 10);
    bytes[place] = zero + left - rest * 10;
    left = rest;
  }
}
