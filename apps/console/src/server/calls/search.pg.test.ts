import { expect, test } from 'vitest';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const { world } = await startConsoleWorld();

test.each(['event-types', 'dashboards', 'saved-queries'])(
  'a list of %s finds names by words in any case and order, page by page, in this project only',
  async (list) => {
    const { key } = await world.project();
    const other = await world.project();
    const make = (name: string, by: string) => {
      const content = list === 'dashboards' ? { tiles: [] } : { sql: 'SELECT 1' };
      const type = { path: `/v1/event-types/${name}/versions`, body: { declaration: { type: 'object' } } };
      const saved = { path: `/v1/${list}`, body: { name, content } };
      return world.send({ method: 'POST', key: by, ...(list === 'event-types' ? type : saved) });
    };
    for (const name of ['Boss_Fight_1', 'boss_fight_2', 'boss_menu', 'fight']) await make(name, key);
    await make('boss_fight_3', other.key);
    const find = async (query: string) => {
      const { status, body } = await world.send({ path: `/v1/${list}?${query}`, key });
      return {
        status,
        names: (body.results ?? []).map(({ name }: { name: string }) => name),
        next: body.next,
      };
    };
    const all = await find('search=FIGHT%20%20boss');
    expect(all.names.toSorted()).toEqual(['Boss_Fight_1', 'boss_fight_2']);
    const first = await find('search=boss&limit=2');
    const rest = await find(`search=boss&limit=2&cursor=${first.next}`);
    expect([...first.names, ...rest.names].toSorted()).toEqual(['Boss_Fight_1', 'boss_fight_2', 'boss_menu']);
    // The signs of patterns are signs of names.
    expect((await find('search=boss%25')).names).toEqual([]);
    expect((await find('search=%00')).status).toBe(400);
  },
);
