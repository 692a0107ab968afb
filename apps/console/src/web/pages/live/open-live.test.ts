import { expect, test } from 'vitest';
import { createFrameReader } from './open-live.ts';

const text = 'id: a.1.2\nevent: events\ndata: {"events":[]}\n\nevent: heartbeat\ndata: {}\n\n';

test('finds the same frames however the text is cut', () => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const read = createFrameReader();
    expect([...read(text.slice(0, cut)), ...read(text.slice(cut))]).toEqual([
      { id: 'a.1.2', event: 'events', data: '{"events":[]}' },
      { id: null, event: 'heartbeat', data: '{}' },
    ]);
  }
});
