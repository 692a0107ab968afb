import { compileDeclaration } from '@tickrate/events';

/** An event type with a member of every kind, for tests of the code that is generated for a language. */
export function levelUpType() {
  const compiled = compileDeclaration({
    type: 'object',
    required: ['level'],
    properties: {
      level: { type: 'integer', format: 'int32' },
      character: { type: 'string' },
      ratio: { type: 'number' },
      id: { type: 'integer', format: 'uint64' },
      items: { type: 'array', items: { type: ['string', 'null'] } },
      position: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } },
      counters: { type: 'object', additionalProperties: { type: 'integer' } },
    },
  });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return { name: 'level_up', version: 3, shape: compiled.declaration.shape };
}
