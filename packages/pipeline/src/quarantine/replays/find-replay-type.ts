import { setImmediate } from 'node:timers/promises';
import { type RowType, readAcceptedDeclaration } from '@tickrate/events';

/** The declaration that validates a rejected event in a replay. */
export type ReplayType =
  | { readonly ok: true; readonly type: RowType }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** The version that the event names. The newest one if it names none, or if the named one is retired. */
export type FindReplayType = (projectId: string, name: string, version: number | null) => Promise<ReplayType>;

/** An event type of the registry. */
export interface DeclaredType {
  readonly name: string;
  /** Oldest first. */
  readonly versions: readonly {
    readonly version: number;
    readonly status: 'available' | 'deprecated' | 'retired';
    readonly declaration: unknown;
  }[];
}

/** Reads the types of a project once, and compiles the required versions. */
export function createFindReplayType(
  eventTypes: (projectId: string) => Promise<readonly DeclaredType[]>,
): FindReplayType {
  const projects = new Map<string, Promise<readonly DeclaredType[]>>();
  const compiled = new Map<string, ReplayType>();

  return async (projectId, name, version) => {
    const asked = projects.get(projectId) ?? eventTypes(projectId);
    projects.set(projectId, asked);
    const declared = (await asked).find((type) => type.name === name);
    if (declared === undefined) return refused('eventTypeNotFound', `there is no event type ${name}`);
    if (version !== null && declared.versions.every((one) => one.version !== version))
      return refused('eventTypeVersionNotFound', `there is no version ${version} of ${name}`);
    const chosen = chooseVersion(declared, version);
    if (chosen === undefined)
      return refused('eventTypeVersionRetired', `all versions of ${name} are retired`);
    const key = `${projectId}/${chosen.version}/${name}`;
    const known = compiled.get(key) ?? (await compile(name, chosen));
    compiled.set(key, known);
    return known;
  };
}

type DeclaredVersion = DeclaredType['versions'][number];

function chooseVersion({ versions }: DeclaredType, version: number | null): DeclaredVersion | undefined {
  const accepted = versions.filter(({ status }) => status !== 'retired');
  return (
    accepted.find((one) => one.version === version) ??
    accepted.findLast(({ status }) => status === 'available') ??
    accepted.at(-1)
  );
}

async function compile(name: string, { version, declaration }: DeclaredVersion): Promise<ReplayType> {
  const result = readAcceptedDeclaration(declaration);
  if (!result.ok)
    return refused('declarationInvalid', `the declaration of ${name} is outside of the profile`);
  const { codec, hasOccurredAt } = result.declaration;
  for (const _ of result.declaration.prepare()) await setImmediate();
  return { ok: true, type: { name, version, codec: codec(), hasOccurredAt } };
}

function refused(reason: string, message: string): ReplayType {
  return { ok: false, reason, message };
}
