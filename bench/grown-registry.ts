import { randomBytes } from 'node:crypto';
import { createApiKeyText, hashApiKey } from '@tickrate/contract';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, type Registry } from '@tickrate/registry';
import type { LoadSender } from './load-generator.ts';
import { sampleType } from './sample-events.ts';
import { batchSender } from './senders.ts';
import type { Stack } from './stack.ts';

const sendingKeys = 10_000;

/** Declares event types up to that number and keeps existing ones. Returns a sender for each. */
export async function manyTypes(stack: Stack, count: number): Promise<LoadSender[]> {
  const names = Array.from({ length: count }, (_, at) => (at === 0 ? sampleType.name : `type_${at}`));
  await withRegistry(stack, async (registry) => {
    const { projectId } = stack;
    for (const name of names) await registry.declareEventType({ ...sampleType, projectId, name });
  });
  return names.map((name) => batchSender(stack, name));
}

/** Creates projects, each with its own key and type. Returns a sender for each. */
export async function manyProjects(stack: Stack, count: number): Promise<LoadSender[]> {
  const senders = [batchSender(stack)];
  await withRegistry(stack, async (registry) => {
    while (senders.length < count) {
      const { id: projectId } = await registry.createProject({ name: `Project ${senders.length}` });
      await registry.declareEventType({ ...sampleType, projectId });
      const { text } = await registry.createKey({
        projectId,
        kind: 'administrative',
        comment: 'bench',
        createdBy: 'bench',
      });
      senders.push(batchSender({ apiKey: text }));
    }
  });
  return senders;
}

/** Adds keys to the project up to that number. Returns a sender for each of the first ten thousand. */
export async function manyKeys(stack: Stack, count: number): Promise<LoadSender[]> {
  const texts = Array.from({ length: Math.min(count, sendingKeys) - 1 }, () =>
    createApiKeyText('administrative', randomBytes),
  );
  const client = createPostgres({ postgresUrl: stack.postgresUrl });
  // No process has cached these keys yet, so nothing has to be announced.
  await client.query('SET session_replication_role = replica');
  await client.query(insertKeys, [stack.projectId, texts.map(hashApiKey)]);
  await client.query(insertOthers, [stack.projectId, Math.max(0, count - sendingKeys)]);
  await client.query('ANALYZE registry.keys');
  await client.close();
  return [batchSender(stack), ...texts.map((apiKey) => batchSender({ apiKey }))];
}

const columns = 'id, line, project_id, hash, prefix, kind, comment, scopes, created_by, created';
const values = `gen_random_uuid(), gen_random_uuid(), $1, hash, 'tk_adm_00000', 'administrative', 'bench', '{}', 'bench', now()`;
const insertKeys = `INSERT INTO registry.keys (${columns}) SELECT ${values} FROM unnest($2::bytea[]) AS hash`;
const insertOthers = `INSERT INTO registry.keys (${columns})
  SELECT ${values} FROM (SELECT sha256(convert_to(n::text, 'UTF8')) AS hash FROM generate_series(1, $2::int) AS n) AS made`;

async function withRegistry(stack: Stack, use: (registry: Registry) => Promise<void>): Promise<void> {
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const registry = createRegistry({ postgresUrl: stack.postgresUrl, now: Date.now, randomBytes, onFault });
  await use(registry);
  await registry.close();
}
