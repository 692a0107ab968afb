import type { AccountsDeps } from '../accounts-deps.ts';
import { seeDevice } from '../credentials/devices.ts';
import { hashDevice } from '../credentials/password-tries.ts';
import { keepAnswers } from '../people/accounts.ts';
import type { InRealm } from '../store/in-realm.ts';

/** What the user entered during the sign-in. */
export interface UserInput {
  readonly marketing: boolean | null;
  /** The accepted version by the id of the terms. */
  readonly terms: Readonly<Record<string, string>>;
  readonly displayName: string | null;
  readonly locale: string | null;
  readonly device: SentDevice | null;
}

interface SentDevice {
  readonly secret: string;
  readonly name: string | null;
  /** The user requests that the device needs no code for 30 days. */
  readonly trust: boolean;
}

const trustMs = 30 * 24 * 3_600_000;

export async function keepUserInput(
  { keyring, now }: AccountsDeps,
  people: InRealm,
  {
    accountId,
    input: { device, ...answers },
    amr,
  }: { readonly accountId: string; readonly input: UserInput; readonly amr: readonly string[] },
): Promise<void> {
  const { marketing, displayName, locale, terms } = answers;
  const nowMs = now();
  // Most requests change no preference; then concurrent sign-ins of one account do not wait for each other.
  if (marketing !== null || displayName !== null || locale !== null || Object.keys(terms).length > 0) {
    await keepAnswers(people, { ...answers, accountId, nowMs });
  }
  if (device === null) return;
  // Only a code creates trust: a trusted device cannot extend its own trust.
  const isProven = amr.includes('otp') || amr.includes('recovery');
  await seeDevice(people, {
    accountId,
    nowMs,
    hash: hashDevice({ keyring }, device.secret),
    name: device.name,
    trustedUntilMs: device.trust && isProven ? nowMs + trustMs : null,
  });
}
