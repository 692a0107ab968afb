import { type RandomBytes, systemError } from '@tickrate/contract';
import type { Postgres } from '@tickrate/postgres';
import {
  countViewFaults,
  type EventTypePage,
  type EventTypeRecord,
  listEventTypes,
  listViewFaults,
} from '../event-types/event-types.ts';
import { editKey, findKey, type KeyEdit, type KeyPage, type KeyPlace, pageOfKeys } from '../keys/edit-key.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { editPolicy, type PolicyEdit } from '../projects/policies.ts';
import {
  editProject,
  findProject,
  type Project,
  type ProjectEdit,
  projectLineage,
} from '../projects/projects.ts';
import { createSavedRecords, type SavedRecords } from '../projects/saved.ts';
import { createShares, type Shares } from '../projects/shares.ts';
import type { Sealer } from '../store/provider-secrets.ts';
import { type Acts, createActs } from './acts.ts';

/** Calls for the management of a project: pages, single records, and edits that require the latest version. */
export interface RegistryManagement extends Acts, SavedRecords, Shares {
  /** Null if it does not exist. */
  project(projectId: string): Promise<Project | null>;
  editProject(edit: ProjectEdit): Promise<Project>;
  /** The project, the project whose key created it, and so on up to the first one. */
  projectLineage(projectId: string): Promise<readonly string[]>;
  /** Throws 3001, also for another project's key. */
  key(place: KeyPlace): Promise<KeyRecord>;
  keyPage(page: KeyPage): Promise<KeyRecord[]>;
  editKey(edit: KeyEdit): Promise<KeyRecord>;
  editPolicy(edit: PolicyEdit): Promise<void>;
  eventTypePage(page: EventTypePage): Promise<EventTypeRecord[]>;
  /** The number of event types of the project with a `viewFault`. */
  viewFaults(projectId: string): Promise<number>;
  /** Names of the types whose view ClickHouse refuses, at most 20. */
  viewFaultTypes(projectId: string): Promise<string[]>;
  /** Throws 3001. */
  eventType(projectId: string, name: string): Promise<EventTypeRecord>;
}

export function createManagement(deps: {
  readonly db: Postgres;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly sealer: Sealer | null;
}): RegistryManagement {
  const { db } = deps;
  return {
    ...createActs(db),
    ...createSavedRecords(deps),
    ...createShares(deps),
    project: (projectId) => findProject(db, projectId),
    projectLineage: (projectId) => projectLineage(db, projectId),
    editProject: (edit) => db.transaction((tx) => editProject(tx, edit)),
    viewFaultTypes: (projectId) => listViewFaults(db, projectId),
    key: (place) => findKey(db, place),
    keyPage: (page) => pageOfKeys(db, page),
    editKey: (edit) => db.transaction(async (tx) => (await editKey({ ...deps, db: tx }, edit)).edited),
    editPolicy: (edit) => db.transaction((tx) => editPolicy({ ...deps, db: tx }, edit)),
    eventTypePage: (page) => listEventTypes(db, page),
    viewFaults: (projectId) => countViewFaults(db, projectId),
    async eventType(projectId, name) {
      const [found] = await listEventTypes(db, { projectId, name });
      if (found === undefined || found.versions.length === 0) {
        throw systemError('objectNotFound', { objectType: 'eventType', invalidIdentifier: name });
      }
      return found;
    },
  };
}
