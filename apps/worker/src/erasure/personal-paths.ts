import { setImmediate } from 'node:timers/promises';
import { readAcceptedDeclaration } from '@tickrate/events';
import type { Registry } from '@tickrate/registry';

export type PersonalPaths = (type: string, version: number) => ReadonlySet<string> | null;

/** The paths of personal data in the declarations of a project; null for an undeclared type. */
export async function readPersonalPaths(
  registry: Pick<Registry, 'eventTypes'>,
  projectId: string,
): Promise<PersonalPaths> {
  const paths = new Map<string, ReadonlySet<string>>();
  for (const { name, versions } of await registry.eventTypes(projectId)) {
    for (const { version, declaration } of versions) {
      const result = readAcceptedDeclaration(declaration);
      await setImmediate();
      if (!result.ok) continue;
      const personal = result.declaration.columns.filter((column) => column.personal);
      paths.set(`${name}/${version}`, new Set(personal.map((column) => column.path)));
    }
  }
  return (type, version) => paths.get(`${type}/${version}`) ?? null;
}
