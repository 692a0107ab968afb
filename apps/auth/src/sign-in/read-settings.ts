import { type ProviderSettings, readProviderSettings } from '@tickrate/contract';
import {
  openProviders,
  type RegistryCache,
  type Sealer,
  type ProjectSettings as StoredSettings,
} from '@tickrate/registry';
import { type AdministratorSettings, administratorPolicies, readPolicies } from './read-policies.ts';
import type { ProjectSettings } from './sign-in.ts';

export interface ReadSettingsDeps {
  readonly registry: Pick<RegistryCache, 'settings'>;
  readonly sealer: Sealer;
  readonly administrators: AdministratorSettings;
  /** Told once of each state of a project's settings that is not understood. */
  readonly onFault: (fault: Error) => void;
}

export type ReadSettings = (projectId: string, role: string) => Promise<ProjectSettings>;

const nothingSet: StoredSettings = { testMode: false, policies: new Map() };

/**
 * How a project lets its players in, or the installation its administrators; 6001 when that cannot be known. What is stored
 * is read and opened once until it changes.
 */
export function createReadSettings({
  registry,
  sealer,
  administrators,
  onFault,
}: ReadSettingsDeps): ReadSettings {
  const read = new WeakMap<StoredSettings, ProjectSettings>();

  function readProviders(projectId: string, { policies, testMode }: StoredSettings): ProviderSettings {
    const stored = openProviders(sealer, projectId, { ...policies.get('providers') });
    const { settings, faults } = readProviderSettings(stored, { testMode });
    if (faults.length > 0) onFault(new Error(`Of the providers of ${projectId}: ${faults.join('; ')}`));
    return settings;
  }

  return async (projectId, role) => {
    const stored = (await registry.settings(projectId)) ?? nothingSet;
    const settings = read.get(stored) ?? {
      providers: readProviders(projectId, stored),
      policies: readPolicies(stored.policies.get('sessions')),
    };
    read.set(stored, settings);
    return role === 'builtin:admin'
      ? { ...settings, policies: administratorPolicies(administrators) }
      : settings;
  };
}
