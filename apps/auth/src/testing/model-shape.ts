import type { SessionsPolicy } from '@tickrate/contract';
import type { Facts } from '../exchange/decision.ts';

/** The requests of the model: what a client can send to the world in memory. */
export type Item =
  | 'steam'
  | 'discord'
  | 'itchIo'
  | 'badSteam'
  | 'downDiscord'
  | 'device'
  /** The key of a session of the owner, instead of a public key. */
  | 'live'
  | 'email'
  | 'unknownEmail'
  | 'password'
  | 'wrongPassword'
  | 'code'
  | 'wrongCode'
  | 'mailedCode'
  | 'newCode'
  | 'terms'
  | 'marketing'
  | 'link'
  | 'skip'
  | 'move'
  | 'switch'
  | 'register'
  | 'cancel';

export interface Account {
  readonly id: string;
  readonly hasEmail: boolean;
  readonly hasSecondFactor: boolean;
  readonly isBanned: boolean;
}

export interface WorldShape {
  readonly policy: {
    readonly tokens: SessionsPolicy['registration']['tokens'];
    readonly email: SessionsPolicy['registration']['email'];
    readonly linking: SessionsPolicy['linking'];
    readonly passwordSignIn: boolean;
    readonly hasTerms: boolean;
    readonly askMarketing: boolean;
    readonly requireSecondFactor: boolean;
  };
  readonly owner: Omit<Account, 'id'> & { readonly tokens: readonly ('steam' | 'discord')[] };
  /** Another account has the itch.io token. */
  readonly otherHasItch: boolean;
  /** The itch.io token's verified address is the owner's. */
  readonly emailOfItch: boolean;
  /** The credentials of the live session were proven recently. */
  readonly isRecent: boolean;
}

export function askOf(items: readonly Item[]): Facts['ask'] {
  const has = (item: Item) => items.includes(item);
  const linkAction = (['link', 'skip', 'move', 'switch'] as const).find(has) ?? null;
  return {
    role: 'builtin:user',
    hasEmail: has('email') || has('unknownEmail'),
    hasPassword: has('password') || has('wrongPassword'),
    hasCode: has('code') || has('wrongCode') || has('mailedCode') || has('newCode'),
    wantsDevice: has('device'),
    intent: (['register', 'cancel'] as const).find(has) ?? null,
    linkAction,
    accountRef: linkAction === 'move' || linkAction === 'switch' ? 'other' : null,
    promptForProject: false,
    projectId: null,
    marketing: has('marketing') ? false : null,
    acceptedTerms: has('terms') ? { terms: '1' } : {},
  };
}

export function policiesOf({ policy }: WorldShape): SessionsPolicy {
  const { tokens, email, linking, passwordSignIn, hasTerms, askMarketing, requireSecondFactor } = policy;
  const terms: Record<string, string> = hasTerms ? { terms: '1' } : {};
  const registration = { tokens, email };
  return {
    registration,
    linking,
    passwordSignIn,
    terms,
    askMarketing,
    requireVerifiedEmail: false,
    requireSecondFactor,
  };
}
