import type { CreateProject } from '@tickrate/accounts';
import type { Registry, RegistryCache, Sealer } from '@tickrate/registry';
import type { MailFlows } from '../mail/mail-flows.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { CheckStrength, WeighPassword } from '../passwords/strength-check.ts';
import type { TokenVerifier } from '../providers/provider.ts';
import { createAuthenticate } from './authenticate.ts';
import { createCompleteSignIn } from './completing/complete-sign-in.ts';
import { createFindNotices } from './completing/notices.ts';
import { createCheckCode } from './facts/check-code.ts';
import { createCheckPassword } from './facts/check-password.ts';
import { createEnrolments } from './facts/enrolments.ts';
import { createFindProofs, createMayBeFirst } from './facts/find-proofs.ts';
import { createVerifyTokens } from './facts/verify-tokens.ts';
import { createRunExchange } from './run-exchange.ts';
import type { AdministratorSettings } from './settings/read-settings.ts';
import { createReadSettings } from './settings/read-settings.ts';
import type { AuthContext } from './sign-in.ts';

export interface SignInDeps {
  readonly context: AuthContext;
  readonly registry: Pick<Registry, 'inTransaction'>;
  readonly cache: Pick<RegistryCache, 'settings'>;
  readonly hasher: PasswordHasher;
  readonly checkStrength: CheckStrength;
  readonly weighPassword: WeighPassword;
  readonly verifier: TokenVerifier;
  readonly sealer: Sealer;
  /** Receives faults of stored settings that cannot be read. They count as absent. */
  readonly onSettingsFault: (fault: Error) => void;
  readonly mails: MailFlows;
  readonly administrators: AdministratorSettings;
}

/** The exchange with its adapters. */
export function createSignIn({
  context,
  registry,
  cache,
  hasher,
  checkStrength,
  weighPassword,
  verifier,
  sealer,
  onSettingsFault,
  mails,
  administrators,
}: SignInDeps) {
  const createProject: CreateProject = async (tx, name, createdBy) => {
    const inRegistry = registry.inTransaction(tx);
    const project = await inRegistry.createProject({ name });
    await inRegistry.createKey({
      projectId: project.id,
      kind: 'public',
      comment: 'For game builds',
      createdBy,
    });
    return { id: project.id, name: project.name };
  };
  const mayBeFirst = createMayBeFirst(context, administrators);
  const findNotices = createFindNotices(weighPassword);
  return createAuthenticate(context, {
    readSettings: createReadSettings({ registry: cache, administrators, sealer, onFault: onSettingsFault }),
    runExchange: createRunExchange(context, {
      checkPassword: createCheckPassword(context),
      verifyTokens: createVerifyTokens(context, verifier),
      mayBeFirst,
      findProofs: createFindProofs(context, mayBeFirst),
      checkCode: createCheckCode(context),
      enrolments: createEnrolments(context),
      completeSignIn: createCompleteSignIn(context, { hasher, createProject, findNotices }),
      doEffects: mails.doEffects,
      checkStrength,
    }),
  });
}
