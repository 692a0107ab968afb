import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export interface Administrator {
  readonly email: string;
  readonly password: string;
  readonly projectId?: string;
}

/** What a page of the console sends with each request. */
export const ofPage = { 'Sec-Fetch-Site': 'same-origin', 'X-Tickrate-Console': '1' };

/** Signs in as the page does, and returns the cookie. Each call opens another session. */
export async function openSession(
  origin: string,
  { email, password, projectId = inject('product').projectId }: Administrator,
): Promise<{ readonly name: string; readonly value: string }> {
  const answer = await fetch(`${origin}/session/exchange`, {
    method: 'POST',
    headers: {
      ...ofPage,
      Connection: 'close',
      'Content-Type': 'application/json',
      'Idempotency-Key': randomBytes(16).toString('hex'),
    },
    body: JSON.stringify({ emailAddress: email, password, promptForProject: true, projectId }),
  });
  const text = await answer.text();
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`No session: ${answer.status} ${text}`);
  return { name, value };
}
