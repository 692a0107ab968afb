import { type ProviderSettings, readProviderSettings } from '@tickrate/contract';
import { openProviders, type Registry, type Sealer } from '@tickrate/registry';
import { administratorPolicies, readPolicies } from './read-policies.ts';
import type { ProjectSettings } from './sign-in.ts';

export interface ReadSettingsDeps {
  readonly registry: Pick<Registry, 'projects' | 'policies'>;
  readonly sealer: Sealer;
  readonly adminSignup: 'first' | 'open' | 'closed';
  readonly onFault: (fault: Error) => void;
}

export type ReadSettings = (projectId: string, role: string) => Promise<ProjectSettings>;

/** How a project lets its players in, or the installation its administrators. */
export function createReadSettings({
  registry,
  sealer,
  adminSignup,
  onFault,
}: ReadSettingsDeps): ReadSettings {
  function readProviders(projectId: string, stored: object, testMode: boolean): ProviderSettings {
    const { settings, faults } = readProviderSettings(openProviders(sealer, projectId, { ...stored }), {
      testMode,
    });
    if (faults.length > 0) onFault(new Error(`Of the providers of ${projectId}: ${faults.join('; ')}`));
    return settings;
  }

  return async (projectId, role) => {
    const [policies, projects] = await Promise.all([registry.policies(projectId), registry.projects()]);
    const testMode = projects.find(({ id }) => id === projectId)?.testMode ?? false;
    const isAdministrator = role === 'builtin:admin';
    return {
      providers: readProviders(projectId, policies.get('providers') ?? {}, testMode),
      policies: isAdministrator ? administratorPolicies(adminSignup) : readPolicies(policies.get('sessions')),
    };
  };
}
