import { randomBytes } from 'node:crypto';
import { migrateLedger } from '@tickrate/pipeline';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';

export interface StoreUrls {
  readonly postgresUrl: string;
  readonly clickhouseUrl: string;
}

export interface SendingProject {
  readonly projectId: string;
  readonly apiKey: string;
  /** Of the game, for sign-ins. */
  readonly publicKey: string;
}

export async function migrateStores({ postgresUrl, clickhouseUrl }: StoreUrls): Promise<void> {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  const warehouse = createWarehouse({ clickhouseUrl });
  await warehouse.migrate();
  await warehouse.close();
}

/** A project with a key that may send events of the one type. */
export async function createSendingProject(
  postgresUrl: string,
  type: { readonly name: string; readonly declaration: object },
): Promise<SendingProject> {
  const registry = createRegistry({ postgresUrl, now: Date.now, randomBytes, onFault: raise });
  const project = await registry.createProject({ name: 'Sending' });
  const by = { projectId: project.id, comment: 'sending', createdBy: 'tests' };
  const scopes = ['players:read'];
  const { text: apiKey } = await registry.createKey({ ...by, kind: 'administrative', scopes });
  const { text: publicKey } = await registry.createKey({ ...by, kind: 'public' });
  await registry.declareEventType({ projectId: project.id, ...type });
  await registry.close();
  return { projectId: project.id, apiKey, publicKey };
}

function raise(error: unknown): never {
  throw error;
}
