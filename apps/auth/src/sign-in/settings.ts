import {
  type ProviderSettings,
  readProviderSettings,
  readSessionsPolicy,
  type SessionsPolicy,
  systemError,
} from '@tickrate/contract';
import {
  openProviders,
  type RegistryCache,
  type Sealer,
  type ProjectSettings as StoredSettings,
} from '@tickrate/registry';
import { noProviders, type StudioProvider } from '../administrators/studio-provider.ts';
import type { AuthValues } from '../config.ts';
import type { ProjectSettings } from './sign-in.ts';

interface ReadSettingsDeps {
  readonly cache: RegistryCache;
  readonly sealer: Sealer;
  readonly administrators: Pick<AuthValues, 'adminSignup' | 'adminSecondFactor'>;
  readonly studio: StudioProvider | null;
  /** Called once for each unreadable state of a project's settings. */
  readonly onFault: (fault: Error) => void;
}

export type ReadSettings = (projectId: string, role: string) => Promise<ProjectSettings>;

const nothingSet: StoredSettings = { testMode: false, policies: new Map() };

/**
 * The sign-in settings of a project for its players, or of the installation for its administrators. Rejects with 6001
 * if they are unknown. Stored settings are read and opened once until they change.
 */
export function createReadSettings(deps: ReadSettingsDeps): ReadSettings {
  const { cache, sealer, onFault } = deps;
  // Whatever a project sets for its players: whoever edits its providers must not be able to confirm administrators.
  const ofAdministrators = administratorSettings(deps);
  const read = new WeakMap<StoredSettings, ProjectSettings>();

  function readProviders(projectId: string, { policies, testMode }: StoredSettings): ProviderSettings {
    const stored = openProviders(sealer, projectId, { ...policies.get('providers') });
    const { settings, faults } = readProviderSettings(stored, { testMode });
    if (faults.length > 0) onFault(new Error(`Of the providers of ${projectId}: ${faults.join('; ')}`));
    return settings;
  }

  function readPlayers(projectId: string, { policies }: StoredSettings): SessionsPolicy {
    const read = readSessionsPolicy(policies.get('sessions'));
    if ('policy' in read) return read.policy;
    const { place, message } = read.fault;
    onFault(new Error(`The policy sessions of ${projectId} cannot be read: ${place} ${message}`));
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 60 });
  }

  return async (projectId, role) => {
    if (role === 'builtin:admin') return ofAdministrators;
    const stored = (await cache.settings(projectId)) ?? nothingSet;
    const settings = read.get(stored) ?? {
      providers: readProviders(projectId, stored),
      policies: readPlayers(projectId, stored),
    };
    read.set(stored, settings);
    return settings;
  };
}

/** Administrators sign in with address and password, and with the provider of the studio. */
function administratorSettings({
  administrators: { adminSignup, adminSecondFactor },
  studio,
}: ReadSettingsDeps): ProjectSettings {
  const passwordSignIn = studio?.isOnly !== true;
  return {
    providers: studio?.settings ?? noProviders,
    policies: {
      registration: { tokens: 'closed', email: adminSignup === 'closed' ? 'closed' : 'ask' },
      linking: 'never',
      passwordSignIn,
      terms: {},
      askMarketing: false,
      requireVerifiedEmail: false,
      requireSecondFactor: adminSecondFactor === 'required',
    },
  };
}
