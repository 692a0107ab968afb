export const eventTypes: Readonly<
  Record<string, { readonly description: string; readonly declaration: object }>
> = {
  session_start: {
    description: 'A player opened the game',
    declaration: object(
      {
        platform: {
          type: 'string',
          enum: ['windows', 'linux', 'macos', 'android'],
          description: 'Operating system',
        },
        build: text('Version of the game', '1.4.2'),
        region: text('Region of the servers', 'eu'),
        gpu: text('Graphics card', 'Radeon RX 6600'),
        first_launch: { type: 'boolean', description: 'Whether this is the first session on the device' },
      },
      ['platform', 'build'],
    ),
  },
  tutorial_step: {
    description: 'A new player finished a step of the tutorial',
    declaration: object(
      {
        step: { type: 'integer', minimum: 1, maximum: 6, description: 'Number of the step' },
        seconds: { type: 'integer', minimum: 0, description: 'Duration of the step' },
      },
      ['step'],
    ),
  },
  level_up: {
    description: 'A player reached a new level',
    declaration: object(
      {
        level: { type: 'integer', minimum: 1, maximum: 200, description: 'The level that was reached' },
        character: text('Character that the player uses', 'ranger'),
      },
      ['level'],
    ),
  },
  match_queued: {
    description: 'A player asked for a match',
    declaration: object(
      {
        queue: { type: 'string', enum: ['ranked', 'casual'], description: 'Queue' },
        region: text('Region of the servers', 'eu'),
      },
      ['queue'],
    ),
  },
  match_finished: {
    description: 'A match ended',
    declaration: object(
      {
        queue: { type: 'string', enum: ['ranked', 'casual'], description: 'Queue' },
        region: text('Region of the servers', 'eu'),
        map: text('Map', 'Caldera'),
        character: text('Character that the player used', 'ranger'),
        won: { type: 'boolean', description: 'Whether the player won' },
        waited_seconds: { type: 'integer', minimum: 0, description: 'Time in the queue' },
        duration_seconds: { type: 'integer', minimum: 0, description: 'Duration of the match' },
        kills: { type: 'integer', minimum: 0 },
        deaths: { type: 'integer', minimum: 0 },
      },
      ['queue', 'won'],
    ),
  },
  purchase: {
    description: 'A player bought something',
    declaration: object(
      {
        item: text('What was bought', 'Season pass'),
        price_cents: { type: 'integer', minimum: 0, description: 'Price in hundredths of the currency' },
        currency: text('ISO 4217', 'EUR'),
      },
      ['item', 'price_cents', 'currency'],
    ),
  },
  crash: {
    description: 'The game ended with a crash',
    declaration: object(
      {
        build: text('Version of the game', '1.4.2'),
        gpu: text('Graphics card', 'Radeon RX 6600'),
        signal: text('Signal', 'SIGSEGV'),
        where: text('Function at the top of the stack', 'ParticleRenderer::flush'),
      },
      ['build', 'where'],
    ),
  },
  client_performance: {
    description: 'How well the game ran',
    declaration: object(
      {
        build: text('Version of the game', '1.4.2'),
        gpu: text('Graphics card', 'Radeon RX 6600'),
        frames_per_second: { type: 'integer', minimum: 0 },
        frame_ms_p99: { type: 'integer', minimum: 0, description: '99th percentile of the time of a frame' },
        ping_ms: { type: 'integer', minimum: 0 },
      },
      [],
    ),
  },
};

function object(properties: object, required: readonly string[]): object {
  return { type: 'object', properties, required };
}

function text(description: string, example: string): object {
  return { type: 'string', maxLength: 80, description, examples: [example] };
}
