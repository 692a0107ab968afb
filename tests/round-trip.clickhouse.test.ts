import { randomFillSync, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { writeJson } from '@tickrate/contract';
import {
  appendRow,
  type CompiledDeclaration,
  compileDeclaration,
  createEventIds,
  createRowFrame,
  plainEnvelope,
  RowWriter,
  stampChunkId,
} from '@tickrate/events';
import { declaredSamples, freshClickHouse, type SampleJson } from '@tickrate/testkit';
import { createWarehouse, viewName } from '@tickrate/warehouse';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const projectId = `p-${randomUUID().slice(-12)}`;
const ids = createEventIds(randomFillSync);

beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

const batches = declaredSamples().chain(({ document, event }) =>
  fc.tuple(fc.constant(document), fc.array(event, { minLength: 1, maxLength: 8 })),
);

// Invariant (Events and quarantine): An accepted event reads back from its typed view with the same values
test('whatever a declaration accepts reads back from its typed view with the same values', async () => {
  let types = 0;
  await fc.assert(
    fc.asyncProperty(batches, async ([document, events]) => {
      const result = compileDeclaration(document);
      if (!result.ok) throw new Error(JSON.stringify(result.faults));
      const name = `type_${types++}`;
      await store(name, result.declaration, events);
      const { columns } = result.declaration;
      const versions = [{ version: 1, columns, description: null }];
      await warehouse.applyTypedView({ projectId, typeName: name, description: null, versions });
      const rows = await warehouse.query<Record<string, unknown>>(
        `SELECT ${columns.map(({ path }) => `\`${path}\``).join(', ')} FROM ${viewName(projectId, name)} ORDER BY event_id`,
      );
      const expected = events.map((event) => shownObject(document, event as SampleJson));
      expect(rows.map(canonical)).toEqual(expected.map(canonical));
    }),
    { numRuns: 40 },
  );
}, 120_000);

async function store(
  name: string,
  declaration: CompiledDeclaration,
  events: readonly SampleJson[],
): Promise<void> {
  const sender = {
    projectId,
    keyLine: '0192f0c0-7d2e-7000-8000-000000000001',
    keyKind: 'public',
    sessionId: '',
    accountId: '',
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    receivedMs: Date.now(),
    skewMs: 0,
  } as const;
  const type = { name, version: 1, codec: declaration.codec(), hasOccurredAt: false };
  const frame = createRowFrame(sender, type);
  const writer = new RowWriter();
  const chunkId = Buffer.alloc(16, 7);
  events.forEach((event, index) => {
    const start = writer.at;
    // The ids follow the order of the events, so that rows can be sorted by id.
    const eventId = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    const envelope = { ...plainEnvelope, eventId };
    if (appendRow(writer, frame, { source: writeJson(event), at: 0, envelope, ids }) < 0) {
      throw new Error(`refused: ${writeJson(event).toString()}`);
    }
    stampChunkId(writer.bytes, start, chunkId);
  });
  const body = [zstdCompressSync(writer.bytes.subarray(0, writer.at))];
  expect(await warehouse.insertRows({ body, token: randomUUID() })).toMatchObject({ kind: 'stored' });
}

type Schema = Readonly<Record<string, unknown>>;

/** The members of an event as columns of the view: nested objects as dotted names. */
function shownObject(schema: Schema, event: SampleJson | undefined, prefix = ''): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema['properties'] as Record<string, Schema>)) {
    const value = event instanceof Map ? event.get(name) : undefined;
    if (member['properties'] === undefined) shown[prefix + name] = shownValue(member, value);
    else Object.assign(shown, shownObject(member, value, `${prefix}${name}.`));
  }
  return shown;
}

function shownValue(schema: Schema, value: SampleJson | undefined): unknown {
  if (schema['items'] !== undefined) {
    return Array.isArray(value) ? value.map((item) => shownValue(schema['items'] as Schema, item)) : [];
  }
  if (schema['additionalProperties'] !== undefined) {
    const entries = value instanceof Map ? [...value] : [];
    const values = schema['additionalProperties'] as Schema;
    return Object.fromEntries(entries.map(([name, member]) => [name, shownValue(values, member)]));
  }
  if (schema['properties'] !== undefined) {
    const members = Object.entries(schema['properties'] as Record<string, Schema>);
    const of = (name: string) => (value instanceof Map ? value.get(name) : undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, shownValue(member, of(name))]));
  }
  return value === undefined || value === null ? null : shownScalar(schema, value);
}

function shownScalar(schema: Schema, value: SampleJson): unknown {
  const type = [schema['type']].flat()[0];
  if (type === 'integer') return schema['format'] === 'int32' ? Number(value) : String(value);
  if (type === 'number') return Number(value);
  const text = String(value);
  switch (schema['format']) {
    case 'date-time':
      return new Date(text).toISOString().replace('T', ' ').replace('Z', '');
    case 'uuid':
      return text.toLowerCase();
    case 'ipv6':
      return new URL(`http://[${text}]`).hostname;
    default:
      return value;
  }
}

/** IPv6 addresses have several spellings; everything else must be identical. */
function canonical(row: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(row), (_name, value: unknown) =>
    typeof value === 'string' && /^[0-9a-f:]*:[0-9a-f:.]*$/i.test(value) && URL.canParse(`http://[${value}]`)
      ? new URL(`http://[${value}]`).hostname
      : value,
  );
}
