import { findAnswer, type SessionRow } from '@tickrate/accounts';
import type { AuthenticationRequest, AuthenticationResponse } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';
import { type Credentials, readCredentials } from './credentials.ts';
import type { createOpenExchange } from './open-exchange.ts';
import { type Ground, installationRealm, type ProjectSettings, type SignIn } from './sign-in.ts';
import { ExchangeOver } from './sign-in-raced.ts';

/** A sign-in as it arrives: its key is known, its body is read. */
export interface AuthenticateCall {
  readonly request: AuthenticationRequest;
  readonly principal: Principal;
  readonly live: SessionRow | null;
  readonly clientAddress: string;
  readonly requestId: string;
}

export interface AuthenticateOptions {
  readonly openExchange: ReturnType<typeof createOpenExchange>;
  readonly runExchange: (signIn: SignIn) => Promise<AuthenticationResponse>;
  readonly readSettings: (projectId: string, role: string) => Promise<ProjectSettings>;
}

interface Read {
  readonly call: AuthenticateCall;
  readonly credentials: Credentials;
  readonly fingerprint: Buffer;
}

const repeatableMs = 60_000;

/**
 * One request of the exchange: the answer that an identical request got within a minute, else the exchange itself. Identical requests at once are one.
 */
export function createAuthenticate(ground: Ground, options: AuthenticateOptions) {
  const { db, keyring, box, now } = ground;
  const inFlight = new Map<string, Promise<AuthenticationResponse>>();

  async function repeated(fingerprint: Buffer): Promise<AuthenticationResponse | null> {
    const sealed = await findAnswer(db, fingerprint, now() - repeatableMs);
    return sealed === null ? null : (JSON.parse(box.open(sealed)) as AuthenticationResponse);
  }

  async function begin({ call, credentials, fingerprint }: Read, alone: boolean): Promise<SignIn> {
    const { request, principal, clientAddress } = call;
    const role = request.requestedRole ?? 'builtin:user';
    const exchangeId = request.exchangeId ?? null;
    const [settings, opened] = await Promise.all([
      options.readSettings(principal.projectId, role),
      options.openExchange({ exchangeId, principal, credentials, clientAddress, alone }),
    ]);
    const realm = role === 'builtin:admin' ? installationRealm : principal.projectId;
    return { ...call, ...opened, credentials, settings, fingerprint, role, realm };
  }

  async function run(read: Read): Promise<AuthenticationResponse> {
    for (let alone = false; ; alone = true) {
      const known = await repeated(read.fingerprint);
      if (known) return known;
      try {
        return await options.runExchange(await begin(read, alone));
      } catch (error) {
        if (!(error instanceof ExchangeOver)) throw error;
      }
    }
  }

  return async (call: AuthenticateCall): Promise<AuthenticationResponse> => {
    const credentials = readCredentials(call.request);
    const { principal, clientAddress, request } = call;
    const fingerprint = keyring.mac('request', principal.keyId, clientAddress, canonical(request));
    const name = fingerprint.toString('base64');
    const running = inFlight.get(name) ?? run({ call, credentials, fingerprint });
    inFlight.set(name, running);
    try {
      return await running;
    } finally {
      inFlight.delete(name);
    }
  };
}

/** The same text for the same members, in whatever order they came. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
