import { playExamples } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createEventDocument, eventOperations } from './calls/event-operations.ts';
import { startWorld } from './testing/gateway-world.ts';

const { world } = await startWorld();

const gateway = await world.gateway();

test('every example of the document works as shown', async () => {
  const { projectId, key } = await world.project();
  const declaration = {
    type: 'object',
    required: ['level'],
    properties: { level: { type: 'integer' }, score: { type: 'integer' } },
  };
  await world.registry.declareEventType({ projectId, name: 'level_up', declaration });
  const played = await playExamples(eventOperations, {
    send: ({ path, ...call }) => gateway.send({ ...call, path: path.replace('/v1/event/', ''), key }),
    known: {},
  });
  expect(played).toBe(12);
});

test('the document and its page are served without a key', async () => {
  const served = await fetch(`${gateway.url}/openapi.json`, { headers: { Connection: 'close' } });
  expect(await served.json()).toEqual(createEventDocument());
  const page = await fetch(`${gateway.url}/docs`, { headers: { Connection: 'close' } });
  expect(await page.text()).toContain('Insert one event');
});
