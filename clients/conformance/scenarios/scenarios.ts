import { type Fate, hostileAnswers } from '../chaos-proxy.ts';
import type { Scenario } from '../stage.ts';
import { folderScenarios } from './folder-scenarios.ts';
import { frameScenarios } from './frame-scenarios.ts';
import { playerScenarios } from './player-scenarios.ts';
import { sharedFolderScenarios } from './shared-folder-scenarios.ts';

const unsure: readonly Fate[] = ['loseAnswer', 'cutAnswer', 'double', 'late', 'refuse', 'pass'];

/** Every SDK plays all of them. `stage.size` scales what they send. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'nothing goes wrong',
    async play(stage) {
      const driver = await stage.open();
      await stage.track(driver, 100 * stage.size);
      await stage.finish(driver);
    },
  },
  {
    name: 'the process is killed while it tracks',
    async play(stage) {
      for (let kill = 0; kill < 3 * stage.size; kill++) {
        const driver = await stage.open();
        stage.trackUnseen(driver, 2_000);
        await stage.confirmedMore(stage.random.between(1, 400));
        await stage.kill(driver);
      }
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'the process is killed when a request arrives, and the answer is lost',
    async play(stage) {
      for (let kill = 0; kill < 2 * stage.size; kill++) {
        stage.proxy.decide(() => stage.random.pick(['loseAnswer', 'pass', 'refuse']));
        const driver = await stage.open();
        const arrived = stage.nextEvents();
        stage.trackUnseen(driver, 1_000);
        await arrived;
        await stage.kill(driver);
      }
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'answers are lost, late, cut and doubled',
    async play(stage) {
      stage.proxy.decide(() => stage.random.pick(unsure));
      const driver = await stage.open();
      await stage.track(driver, 400 * stage.size);
      await driver.ask({ do: 'flush', timeoutMs: 1_000 });
      stage.proxy.decide(() => 'pass');
      await stage.finish(driver);
    },
  },
  {
    name: 'answers are hostile',
    async play(stage) {
      const driver = await stage.open();
      await stage.track(driver, 50);
      for (const kind of hostileAnswers.filter((each) => each !== 'tooLarge')) {
        let isFirst = true;
        stage.decideEvents(() => {
          const fate = isFirst ? kind : 'pass';
          isFirst = false;
          return fate;
        });
        await stage.track(driver, 20);
        await driver.ask({ do: 'flush', timeoutMs: 4_000 });
      }
      stage.proxy.decide(() => 'pass');
      await stage.finish(driver);
    },
  },
  {
    name: 'segments are split, and the process is killed in between',
    async play(stage) {
      let refusals = 3;
      stage.decideEvents(() => (refusals-- > 0 ? 'tooLarge' : 'pass'));
      const driver = await stage.open();
      const arrived = stage.nextEvents();
      await stage.track(driver, 120);
      await arrived;
      await stage.kill(driver);
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'proxies answer the sign-in of the installation',
    async play(stage) {
      const fates: Fate[] = ['tooLargeForProxy', 'wrongJson', 'html', 'noBody'];
      stage.proxy.decide((path) => (path.includes('/authenticate') ? (fates.shift() ?? 'pass') : 'pass'));
      const driver = await stage.open();
      await stage.track(driver, 50);
      await stage.finish(driver);
    },
  },
  {
    name: 'an answer is lost, and a proxy refuses the size of the next attempt',
    async play(stage) {
      const fates: Fate[] = ['loseAnswer', 'tooLargeForProxy'];
      stage.decideEvents(() => fates.shift() ?? 'pass');
      const driver = await stage.open();
      await stage.track(driver, 120);
      await stage.finish(driver);
    },
  },
  {
    name: 'the clock starts in 1970, jumps and goes back',
    async play(stage) {
      const driver = await stage.open();
      for (const offsetMs of [-Date.now() + 5_000, 0, 3_600_000, -3_600_000, 0]) {
        await driver.ask({ do: 'clock', offsetMs });
        await stage.track(driver, 20);
      }
      await stage.finish(driver);
    },
  },
  {
    name: 'consent comes late',
    async play(stage) {
      const driver = await stage.open({}, { consent: 'unknown' });
      await stage.track(driver, 50);
      await driver.ask({ do: 'consent', state: 'granted' });
      await stage.track(driver, 50);
      await stage.finish(driver);
    },
  },
  {
    name: 'consent is withdrawn',
    async play(stage) {
      const driver = await stage.open();
      await stage.track(driver, 50);
      await driver.ask({ do: 'flush', timeoutMs: 20_000 });
      stage.proxy.decide(() => 'refuse');
      // Of these, none may arrive.
      await stage.forgotten(() => stage.track(driver, 50));
      await driver.ask({ do: 'consent', state: 'denied' });
      stage.proxy.decide(() => 'pass');
      await driver.ask({ do: 'flush', timeoutMs: 200 });
      await stage.kill(driver);
    },
  },
  {
    name: 'the buffer is full, and losses are counted',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open({ bufferBytes: 40_000, sealBytes: 8_000 });
      await stage.track(driver, 400);
      stage.proxy.decide(() => 'pass');
      await driver.ask({ do: 'flush', timeoutMs: 20_000 });
      stage.mayLose((await driver.losses())['bufferFull'] ?? 0);
      await stage.finish(driver);
    },
  },
  {
    name: 'offline for 40 days: what is older than 28 days is counted, and the rest is stored',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open();
      await stage.track(driver, 50);
      await stage.kill(driver);
      const later = await stage.open({}, { offsetMs: 40 * 86_400_000 });
      await stage.track(later, 50);
      stage.proxy.decide(() => 'pass');
      await later.ask({ do: 'flush', timeoutMs: 20_000 });
      const { tooOld } = await later.losses();
      if (tooOld !== 50) throw new Error(`50 events are older than 28 days, and ${tooOld} were counted`);
      stage.mayLose(50);
      await stage.finish(later);
    },
  },
  {
    name: 'a large backlog is sent after a kill: 100,000 events from size 3',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open({ bufferBytes: 256 * 1024 * 1024, sealEvents: 500, sealBytes: 65_536 });
      await stage.track(driver, stage.size < 3 ? 2_000 * stage.size * stage.size : 100_000);
      await stage.kill(driver);
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open({ bufferBytes: 256 * 1024 * 1024 }));
    },
  },
  {
    name: 'gateway and worker are killed',
    async play(stage) {
      const driver = await stage.open();
      for (const app of ['worker', 'gateway']) {
        const tracking = stage.track(driver, 100 * stage.size);
        stage.killApp(app);
        await tracking;
      }
      await stage.finish(driver);
    },
  },
  ...folderScenarios,
  ...frameScenarios,
  ...sharedFolderScenarios,
  ...playerScenarios,
];
