import { globSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Scenario, until } from '../stage.ts';

/** A process that leaves a sealed segment and an open one. */
const parting = { sealAfterMs: 600_000, sealEvents: 20 };

// Invariant (Delivery): Processes that start on a new folder at the same moment are one installation with
// one device account, and neither deletes the run of the other

/** Several processes of one game on one folder. */
export const sharedFolderScenarios: readonly Scenario[] = [
  {
    name: 'two processes share a folder',
    async play(stage) {
      const [first, second] = [await stage.open(), await stage.open()];
      await Promise.all([stage.track(first, 100 * stage.size), stage.track(second, 100 * stage.size)]);
      await stage.kill(first);
      await stage.finish(second);
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'flush sends what a process left that was killed meanwhile',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const [first, second] = [await stage.open(), await stage.open()];
      await Promise.all([stage.track(first, 50 * stage.size), stage.track(second, 50 * stage.size)]);
      const early = await second.ask({ do: 'flush', timeoutMs: 300 });
      if (early['sent'] !== false) throw new Error('flush returned true while nothing could be sent');
      await stage.kill(first);
      stage.proxy.decide(() => 'pass');
      // No third start: when this flush returns true, events of both are on the way to ClickHouse.
      await stage.finish(second);
    },
  },
  {
    name: 'flush returns false while events wait for consent',
    async play(stage) {
      const driver = await stage.open({}, { consent: 'unknown' });
      await stage.track(driver, 20);
      const { sent } = await driver.ask({ do: 'flush', timeoutMs: 300 });
      if (sent !== false) throw new Error('flush returned true while events waited for consent');
      await driver.ask({ do: 'consent', state: 'granted' });
      await stage.finish(driver);
    },
  },
  {
    name: 'two processes begin a folder at the same moment, and are one installation',
    async play(stage) {
      for (let round = 0; round < 4 * stage.size; round++) {
        const both = await stage.openTogether(2, join(stage.folder, String(round)));
        await Promise.all(both.map((driver) => stage.trackAs(`device:${round}`, driver, 5)));
        const refused = both.reduce((sum, driver) => sum + driver.refused, 0);
        if (refused > 0) throw new Error(`${refused} events were refused in a folder that can be written`);
        await Promise.all(both.map((driver) => stage.finish(driver)));
      }
    },
  },
  {
    name: 'another installation makes a deleted folder again, and each process is killed before an answer',
    async play(stage) {
      const elsewhere = `${stage.folder}.elsewhere`;
      const [first, other] = [await stage.open(), await stage.open(parting, { folder: elsewhere })];
      for (const driver of [first, other]) {
        await stage.track(driver, 10);
        await driver.ask({ do: 'flush', timeoutMs: 20_000 });
      }
      stage.decideEvents(() => 'loseAnswer');
      const arrived = stage.nextEvents();
      // Twenty are sealed and sent, and ten are in an open segment.
      await stage.track(other, 30);
      await arrived;
      await stage.kill(other);
      renameSync(stage.folder, `${stage.folder}.deleted`);
      renameSync(elsewhere, stage.folder);
      rmSync(`${stage.folder}.deleted`, { recursive: true });
      await stage.track(first, 20);
      await first.ask({ do: 'flush', timeoutMs: 500 });
      let isEnded = false;
      stage.decideEvents(() => {
        const fate = isEnded ? 'loseAnswer' : 'sessionEnded';
        isEnded = true;
        return fate;
      });
      await until(() => isEnded, 'the end of a session');
      await first.ask({ do: 'flush', timeoutMs: 1_000 });
      await stage.kill(first);
      stage.proxy.decide(() => 'pass');
      const later = await stage.open();
      // They are stored for the first account: nobody may send them again.
      await until(() => globSync('aside/*', { cwd: stage.folder }).length > 0, 'a segment to be set aside');
      const { damaged = 0 } = await later.losses();
      // What was sent twice is in ClickHouse before these.
      await stage.track(later, 10);
      await stage.finish(later);
      if (damaged > 20) throw new Error(`${damaged} events were set aside, of 20 of the former installation`);
    },
  },
  {
    name: 'consent is withdrawn in one of two processes',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const [first, second] = [await stage.open(), await stage.open()];
      // Of these, none may arrive.
      await stage.forgotten(async () => {
        await stage.track(second, 50);
        await first.ask({ do: 'consent', state: 'denied' });
        // Too large: the second process saves this loss, and learns of the refusal.
        await second.ask({ do: 'track', from: 0, count: 1, padding: 70_000 });
        await stage.trackUntilRefused(second);
      });
      stage.proxy.decide(() => 'pass');
      await second.ask({ do: 'flush', timeoutMs: 200 });
      await stage.kill(first);
      await stage.kill(second);
      const later = await stage.open({}, { consent: 'unknown' });
      await stage.track(later, 10);
      if (later.refused !== 10) throw new Error(`the refusal was forgotten: ${later.refused} of 10 refused`);
      await later.ask({ do: 'flush', timeoutMs: 200 });
      await later.ask({ do: 'close', timeoutMs: 0 });
      await stage.kill(later);
    },
  },
];
