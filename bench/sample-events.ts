import { randomUUID } from 'node:crypto';

/** An event of the benches: about 300 bytes of JSON, random enough for an honest compression ratio. */
export const sampleType = {
  name: 'match_finished',
  declaration: {
    type: 'object',
    required: ['match', 'map', 'score', 'won'],
    properties: {
      match: { type: 'string', format: 'uuid' },
      player: { type: 'string', maxLength: 32 },
      map: { type: 'string', maxLength: 64 },
      mode: { type: 'string', enum: ['ranked', 'casual', 'practice'] },
      score: { type: 'integer', minimum: 0 },
      accuracy: { type: 'number', minimum: 0, maximum: 1 },
      won: { type: 'boolean' },
      ended: { type: 'string', format: 'date-time', 'x-occurred-at': true },
      position: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } },
      weapons: { type: 'array', items: { type: 'string' } },
    },
  },
} as const;

const modes = ['ranked', 'casual', 'practice'];

export function sampleEvent() {
  return {
    match: randomUUID(),
    player: `player_${below(5_000)}`,
    map: `map_${below(300)}`,
    mode: modes[below(3)] ?? 'casual',
    score: below(100_000),
    accuracy: Math.random(),
    won: Math.random() < 0.5,
    ended: new Date(Date.now() - below(600_000)).toISOString(),
    position: { x: Math.random() * 1_000, y: Math.random() * 1_000 },
    weapons: [`weapon_${below(2_000)}`, `weapon_${below(2_000)}`],
  };
}

export function sampleBatch(size: number): Buffer {
  return Buffer.from(JSON.stringify(Array.from({ length: size }, sampleEvent)));
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}
