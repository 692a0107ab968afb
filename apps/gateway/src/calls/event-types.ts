import { type SystemError, systemError } from '@tickrate/contract';
import type { RowType } from '@tickrate/events';
import { createLock } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import type { EventType, EventTypeVersion, RegistryCache } from '@tickrate/registry';
import { unavailable } from '../limits/unavailable.ts';
import { finishInSlices } from '../reading/sliced.ts';

/** A version of an event type that events can be sent to. */
export interface SendableType extends RowType {
  readonly isDeprecated: boolean;
}

export type FoundType =
  | { readonly ok: true; readonly type: SendableType }
  | { readonly ok: false; readonly error: SystemError };

/**
 * The versions of event types that events can be sent to. A version is prepared when it is first used: one declaration at
 * a time, in steps that allow other requests in between.
 */
export class EventTypes {
  readonly #registry: Pick<RegistryCache, 'eventType'>;
  readonly #random: () => number;
  readonly #sendable = new WeakMap<EventTypeVersion, SendableType>();
  readonly #preparing = new WeakMap<EventTypeVersion, Promise<SendableType | null>>();
  readonly #lock = createLock();

  constructor(registry: Pick<RegistryCache, 'eventType'>, random: () => number) {
    this.#registry = registry;
    this.#random = random;
  }

  /** Finds a version of a type of a project, by default the newest. Synchronous if it is known here. */
  find(projectId: string, name: string, version: number | null): FoundType | Promise<FoundType> {
    const found = this.#registry.eventType(projectId, name);
    if (!(found instanceof Promise)) return this.#choose(found, name, version);
    return found.then(
      (type) => this.#choose(type, name, version),
      (error: unknown) => {
        throw error instanceof PostgresUnavailable ? unavailable(this.#random, error) : error;
      },
    );
  }

  #choose(found: EventType | null, name: string, version: number | null): FoundType | Promise<FoundType> {
    if (found === null) return refuse('eventTypeNotFound', { invalidIdentifier: name });
    const availableVersions = availableOf(found);
    const chosen = version === null ? found.newest : found.versions.get(version);
    if (chosen === undefined) {
      return refuse('eventTypeVersionNotFound', { invalidIdentifier: String(version), availableVersions });
    }
    const answer = (type: SendableType | null): FoundType =>
      type === null ? refuse('eventTypeVersionRetired', { availableVersions }) : { ok: true, type };
    const type = chosen === null ? null : this.#prepared(name, chosen);
    return type instanceof Promise ? type.then(answer) : answer(type);
  }

  #prepared(name: string, version: EventTypeVersion): SendableType | Promise<SendableType | null> {
    const known = this.#sendable.get(version) ?? this.#preparing.get(version);
    if (known !== undefined) return known;
    const prepared = this.#lock.run(() => this.#prepare(name, version));
    this.#preparing.set(version, prepared);
    prepared.catch(() => this.#preparing.delete(version));
    return prepared;
  }

  async #prepare(name: string, version: EventTypeVersion): Promise<SendableType | null> {
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
    this.#sendable.set(version, type);
    return type;
  }
}

function refuse(reason: Parameters<typeof systemError>[0], data: Record<string, unknown>): FoundType {
  return { ok: false, error: systemError(reason, data) };
}

function availableOf(type: EventType): string[] {
  return [...type.versions.values()]
    .filter(({ status }) => status !== 'retired')
    .map(({ version }) => String(version));
}
