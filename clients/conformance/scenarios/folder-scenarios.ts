import {
  appendFileSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Driver } from '../driver.ts';
import { type Scenario, type Stage, until } from '../stage.ts';
import { plantedEntries } from './planted-entries.ts';

const largeSegments = { bufferBytes: 64 * 1024 * 1024, sealBytes: 65_536, sealEvents: 1_000 };

/** What can happen to the files of a buffer. */
export const folderScenarios: readonly Scenario[] = [
  {
    name: 'the end of an open segment is torn',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open({ sealAfterMs: 60_000 });
      await stage.track(driver, 30);
      await stage.kill(driver);
      for (const path of globSync('*/*.open', { cwd: stage.folder }))
        appendFileSync(join(stage.folder, path), '5d0c91be {"eventType":"confor');
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'a sealed segment was edited by hand',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open();
      await stage.track(driver, 30);
      await driver.ask({ do: 'close', timeoutMs: 0 });
      await driver.end();
      for (const path of globSync('*/*.seal', { cwd: stage.folder }).slice(0, 1))
        appendFileSync(
          join(stage.folder, path),
          '00000000 {"eventType":"conformance","event":{"run":"x","n":1}}\n',
        );
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'a run has entries that are no segments',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open();
      await stage.track(driver, 30);
      await driver.ask({ do: 'close', timeoutMs: 0 });
      await driver.end();
      const [sealed = ''] = globSync('*/*.seal', { cwd: stage.folder });
      for (const [digit, plant] of plantedEntries.entries())
        plant(join(stage.folder, sealed.replace(/[0-9a-f]{32}/, String(digit).repeat(32))));
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'state.json was destroyed',
    async play(stage) {
      stage.decideEvents(() => 'loseAnswer');
      const driver = await stage.open();
      await stage.track(driver, 30);
      await driver.ask({ do: 'flush', timeoutMs: 300 });
      await stage.kill(driver);
      writeFileSync(join(stage.folder, 'state.json'), '{"consent":"what"}');
      stage.proxy.decide(() => 'pass');
      const second = await stage.open();
      stage.mayLose((await second.losses())['damaged'] ?? 0);
      await stage.finish(second);
    },
  },
  {
    name: 'the folder cannot be written',
    async play(stage) {
      const path = join(stage.folder, 'not-a-folder');
      writeFileSync(path, 'a file');
      const driver = await stage.open({}, { folder: path });
      await stage.track(driver, 50);
      await stage.finish(driver);
    },
  },
  {
    name: 'the disk is full',
    async play(stage) {
      stage.limitDisk(1_024);
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open(largeSegments);
      await stage.fillDisk(driver);
      await expectCounted(driver);
      await stage.kill(driver);
      // The next start finds no space. It sends what it finds, and then it has space.
      const later = await stage.open();
      stage.proxy.decide(() => 'pass');
      await later.ask({ do: 'flush', timeoutMs: 30_000 });
      await stage.track(later, 50);
      if (later.refused > 0) throw new Error(`${later.refused} refused after the disk had space again`);
      await stage.finish(later);
    },
  },
  {
    name: 'the disk is full when the game starts',
    async play(stage) {
      stage.limitDisk(600);
      await stage.withoutSpace(async () => {
        const driver = await stage.open();
        await stage.track(driver, 20);
        await expectCounted(driver);
        await stage.kill(driver);
      });
      await stage.finish(await stage.open());
      const later = await stage.withoutSpace(async () => {
        const driver = await stage.open();
        await stage.track(driver, 20);
        return driver;
      });
      await stage.trackUntilKept(later);
      await stage.track(later, 20);
      await stage.kill(later);
      await stage.finish(await stage.open());
    },
  },
  {
    name: 'the disk is full when the game starts again',
    async play(stage) {
      stage.limitDisk(1_024);
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open(largeSegments);
      await stage.fillDisk(driver);
      await stage.kill(driver);
      stage.proxy.decide(() => 'pass');
      await stage.withoutSpace(async () => stage.finish(await stage.open()));
    },
  },
  {
    name: 'only the owner can read what the buffer holds',
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open();
      await stage.track(driver, 130);
      await until(() => sealedEvents(stage) >= 100, 'a sealed segment');
      expectPrivate(stage);
      await stage.kill(driver);
      const later = await stage.open();
      await until(() => sealedEvents(stage) === 130, 'the segments to be recovered');
      expectPrivate(stage);
      stage.proxy.decide(() => 'pass');
      await stage.finish(later);
    },
  },
  {
    name: 'somebody deletes the folder while the game runs',
    async play(stage) {
      // The installation signs in: an SDK may count a deleted segment only when it could send it.
      stage.decideEvents(() => 'refuse');
      const driver = await stage.open({ sealAfterMs: 600_000, sealEvents: 50 });
      await stage.track(driver, 60);
      await until(() => sealedEvents(stage) === 50, 'a sealed segment');
      deleteFolder(stage);
      // Ten are in a file that has no name any more.
      await stage.track(driver, 200);
      if (driver.refused > 0) throw new Error(`${driver.refused} refused after the folder was deleted`);
      await driver.ask({ do: 'background' });
      await until(() => sealedEvents(stage) === 210, 'the folder to be made again');
      // No one can read those that were sealed.
      await until(() => savedLosses(stage)['storage'] === 50, 'the losses to be saved');
      await stage.kill(driver);
      stage.mayLose(50);
      stage.proxy.decide(() => 'pass');
      await stage.finish(await stage.open());
    },
  },
];

/** Every event that `track()` refused is counted as lost, and no other one. */
async function expectCounted(driver: Driver): Promise<void> {
  const losses = await driver.losses();
  if (Object.values(losses).reduce((sum, each) => sum + each, 0) !== driver.refused)
    throw new Error(`${driver.refused} refused, counted ${JSON.stringify(losses)}`);
}

/** In one step: a file that is created meanwhile would make a deletion fail. */
function deleteFolder({ folder }: Stage): void {
  renameSync(folder, `${folder}.deleted`);
  rmSync(`${folder}.deleted`, { recursive: true });
}

/** Windows has no modes. An empty file holds nothing. */
function expectPrivate({ folder }: Stage): void {
  const paths = process.platform === 'win32' ? [] : globSync('{state.json,*/*.{open,seal}}', { cwd: folder });
  for (const path of paths) {
    const { size = 0, mode = 0 } = statSync(join(folder, path), { throwIfNoEntry: false }) ?? {};
    if (size > 0 && (mode & 0o077) > 0) throw new Error(`${path} has the mode ${(mode & 0o777).toString(8)}`);
  }
}

function savedLosses({ folder }: Stage): Record<string, number> {
  const path = join(folder, 'state.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).losses ?? {}) : {};
}

function sealedEvents({ folder }: Stage): number {
  const headers = globSync('*/*.seal', { cwd: folder });
  const lines = headers.flatMap((path) => readFileSync(join(folder, path), 'utf8').trimEnd().split('\n'));
  return lines.length - headers.length;
}
