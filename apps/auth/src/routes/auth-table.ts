import { sessionVersions } from '@tickrate/contract';
import type { OperationsOptions } from '@tickrate/platform';
import { createCheckAddress } from '../callers/address-rates.ts';
import { createAdmitCaller } from '../callers/call.ts';
import { type Caller, createIdentifyCaller } from '../callers/identify-caller.ts';
import type { AuthValues } from '../config.ts';
import type { AuthParts } from '../create-auth-parts.ts';
import { createPasswordJudge } from '../passwords/password-weakness.ts';
import { createStrengthCheck, createWeighPassword } from '../passwords/strength-check.ts';
import { createSignIn } from '../sign-in/create-sign-in.ts';
import { createAccountRoutes } from './account-routes.ts';
import { costlyOperations, createAuthRoutes } from './auth-routes.ts';
import { createErasureRoutes } from './erasure-routes.ts';
import { createMailTokenRoutes } from './mail-token-routes.ts';
import { createSessionRoutes } from './session-routes.ts';
import { createTwoFactorRoutes } from './two-factor-routes.ts';

/** The calls of the session API, with all that they need. */
export function createAuthTable(
  values: AuthValues,
  { accounts, context, hasher, mails, events, cache, registry, verifier, eventStores, sealer }: AuthParts,
): OperationsOptions<Caller> {
  const { now, randomBytes } = context;
  const weighPassword = createWeighPassword(createPasswordJudge());
  const checkStrength = createStrengthCheck(weighPassword);
  const { ratePerSecond, ratePerHalfHour } = values;
  const checkAddress = createCheckAddress(accounts, [
    { burst: ratePerSecond, perSecond: ratePerSecond },
    { burst: ratePerHalfHour, perSecond: ratePerHalfHour / 1800 },
  ]);
  const routes = createAuthRoutes({
    checkAddress,
    authenticate: createSignIn({
      context,
      registry,
      cache,
      hasher,
      checkStrength,
      weighPassword,
      sealer,
      verifier,
      onSettingsFault: (fault) => events.dependencyFault('settings', fault),
      mails,
      administrators: values,
    }),
    session: createSessionRoutes({ accounts, now, randomBytes }),
    account: createAccountRoutes({ accounts, now, hasher, mails, checkStrength }),
    erasure: createErasureRoutes({ ...eventStores, accounts, now, registry }),
    twoFactor: createTwoFactorRoutes({ accounts, mails, now }),
    mailTokens: createMailTokenRoutes({ accounts, hasher, mails, checkStrength }),
  });
  const identify = createIdentifyCaller({ registry: cache, accounts, now });
  return {
    routes,
    admit: createAdmitCaller({ identify, checkAddress, costly: costlyOperations }),
    versions: sessionVersions,
    lenient: {
      onUnknownMembers: events.unknownMembers,
      // A password can be any text. Each token is checked by itself, so that an invalid one does not hide the others.
      anyTextMembers: ['password', 'currentPassword', 'tokens'],
    },
  };
}
