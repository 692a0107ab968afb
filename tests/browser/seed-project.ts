import { createWorld, type World } from './world.ts';

const types = {
  session_start: { build: { type: 'string', maxLength: 20 } },
  level_up: {
    level: { type: 'integer', minimum: 1 },
    score: { type: 'integer', minimum: 0 },
    character: { type: 'string', enum: ['ranger', 'mage', 'warrior'] },
  },
  purchase: { item: { type: 'string', maxLength: 40 }, price: { type: 'number', minimum: 0 } },
} as const;
const characters = ['ranger', 'mage', 'warrior'];

/** A project with three types, stored events over the last day, and rejected ones. */
export async function seedProject(name = 'Ember Arena'): Promise<World> {
  const world = await createWorld(name);
  for (const [type, properties] of Object.entries(types)) await world.declare(type, properties);
  const events = Array.from({ length: 200 }, (_, index) => ({
    level: 1 + (index % 30),
    score: index * 40,
    character: characters[index % 3],
  }));
  await world.send('level_up', events);
  await world.send(
    'session_start',
    events.map((_, index) => ({ build: `1.4.${index % 3}` })),
  );
  await world.send(
    'purchase',
    events.slice(0, 40).map((_, index) => ({ item: 'rope', price: index / 4 })),
  );
  await world.reject('level_up', [{ level: '7', score: 10 }, { level: 0 }]);
  await world.untilStored(440);
  return world;
}
