import { type SystemError, systemError } from '@tickrate/contract';
import type { RowType } from '@tickrate/events';
import { createLock } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import type { EventType, EventTypeVersion, RegistryCache } from '@tickrate/registry';
import type { Unavailable } from '../limits/unavailable.ts';
import { finishInSlices } from '../reading/sliced.ts';

/** A version of an event type that events can be sent to. */
export interface SendableType extends RowType {
  readonly isDeprecated: boolean;
}

export type FoundType =
  | { readonly ok: true; readonly type: SendableType }
  | { readonly ok: false; readonly error: SystemError };

/** Finds a version of a type of a project, by default the newest. Synchronous if it is known here. */
export type FindEventType = (
  projectId: string,
  name: string,
  version: number | null,
) => FoundType | Promise<FoundType>;

export function createFindEventType(
  registry: Pick<RegistryCache, 'eventType'>,
  unavailable: Unavailable,
): FindEventType {
  const sendableType = createSendableTypes();

  function choose(
    found: EventType | null,
    name: string,
    version: number | null,
  ): FoundType | Promise<FoundType> {
    if (found === null) return refuse('eventTypeNotFound', { invalidIdentifier: name });
    const availableVersions = availableOf(found);
    const chosen = version === null ? found.newest : found.versions.get(version);
    if (chosen === undefined) {
      return refuse('eventTypeVersionNotFound', { invalidIdentifier: String(version), availableVersions });
    }
    const told = (type: SendableType | null): FoundType =>
      type === null ? refuse('eventTypeVersionRetired', { availableVersions }) : { ok: true, type };
    const type = chosen === null ? null : sendableType(name, chosen);
    return type instanceof Promise ? type.then(told) : told(type);
  }

  return (projectId, name, version) => {
    const found = registry.eventType(projectId, name);
    if (!(found instanceof Promise)) return choose(found, name, version);
    return found.then(
      (type) => choose(type, name, version),
      (error: unknown) => {
        throw error instanceof PostgresUnavailable ? unavailable(error) : error;
      },
    );
  };
}

type FindSendable = (name: string, version: EventTypeVersion) => SendableType | Promise<SendableType | null>;

/**
 * Prepares a version when it is first used: one declaration at a time, in steps that allow other requests in between.
 */
function createSendableTypes(): FindSendable {
  const sendable = new WeakMap<EventTypeVersion, SendableType>();
  const preparing = new WeakMap<EventTypeVersion, Promise<SendableType | null>>();
  const lock = createLock();

  async function prepare(name: string, version: EventTypeVersion): Promise<SendableType | null> {
    const declaration = version.compiled();
    if (declaration === null) return null;
    await finishInSlices(declaration.prepare());
    const type: SendableType = {
      name,
      version: version.version,
      codec: declaration.codec(),
      hasOccurredAt: declaration.hasOccurredAt,
      isDeprecated: version.status === 'deprecated',
    };
    sendable.set(version, type);
    return type;
  }

  return (name, version) => {
    const known = sendable.get(version) ?? preparing.get(version);
    if (known !== undefined) return known;
    const prepared = lock.run(() => prepare(name, version));
    preparing.set(version, prepared);
    prepared.catch(() => preparing.delete(version));
    return prepared;
  };
}

function refuse(reason: Parameters<typeof systemError>[0], data: Record<string, unknown>): FoundType {
  return { ok: false, error: systemError(reason, data) };
}

function availableOf(type: EventType): string[] {
  return [...type.versions.values()]
    .filter(({ status }) => status !== 'retired')
    .map(({ version }) => String(version));
}
