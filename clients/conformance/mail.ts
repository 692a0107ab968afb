import { setTimeout as delay } from 'node:timers/promises';

const waitMs = 30_000;

interface Mail {
  readonly id: string;
  readonly to: string;
  readonly text: string | null;
}

export interface MailPlace {
  readonly console: string;
  readonly keys: { readonly administrative: string };
}

/** Resolves with the code of the newest mail to an address that `read` does not contain, and adds the mail to it. */
export async function mailedCode(place: MailPlace, address: string, read: Set<string>): Promise<string> {
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const answer = await fetch(`${place.console}/v1/outbox?limit=50`, {
      headers: { 'X-API-Key': place.keys.administrative },
    });
    if (!answer.ok) throw new Error(`the outbox answered ${answer.status}: ${await answer.text()}`);
    const { results } = (await answer.json()) as { readonly results: readonly Mail[] };
    const mail = results.find(
      ({ id, to, text }) => to === address && !read.has(id) && text?.includes('Code: '),
    );
    const code = /^Code: (\S+)$/m.exec(mail?.text ?? '')?.[1];
    if (mail && code) {
      read.add(mail.id);
      return code;
    }
    await delay(100);
  }
  throw new Error(`no mail to ${address}`);
}
