import type { Driver } from '../driver.ts';
import type { Scenario, Stage } from '../stage.ts';

/** A new segment begins in each frame, so that each frame meets what a segment costs. */
const perFrame = 50;
const tuning = { sealEvents: perFrame, sealBytes: 65_536, bufferBytes: 64 * 1024 * 1024 };
/** A quarter of a frame at 60 per second. SDKs take 0.1 to 1 ms; a game that waited for a disk or a server would take far more. */
const mostUs = 4_000;

/** What `track()` takes of a frame while something else is slow. */
export const frameScenarios: readonly Scenario[] = [
  {
    name: 'frames stay short while the server does not answer and the disk takes 100 ms to flush',
    needsThread: true,
    async play(stage) {
      stage.slowDisk(100);
      stage.proxy.decide(() => 'silent');
      const driver = await stage.open(tuning);
      await expectShortFrames(stage, driver, 40);
      stage.proxy.decide(() => 'pass');
      await stage.finish(driver);
    },
  },
  {
    name: 'frames stay short while the disk is full',
    needsThread: true,
    async play(stage) {
      stage.limitDisk(1_024);
      stage.proxy.decide(() => 'refuse');
      const driver = await stage.open({ ...tuning, sealBytes: 16_384 });
      await stage.fillDisk(driver);
      await expectShortFrames(stage, driver, 100);
      stage.proxy.decide(() => 'pass');
      await stage.finish(driver);
    },
  },
  {
    name: 'frames stay short while a backlog is sent',
    needsThread: true,
    async play(stage) {
      stage.proxy.decide(() => 'refuse');
      const before = await stage.open(tuning);
      await stage.track(before, 2_000 * stage.size);
      await stage.kill(before);
      stage.proxy.decide(() => 'pass');
      const driver = await stage.open(tuning);
      await expectShortFrames(stage, driver, 100);
      await stage.finish(driver);
    },
  },
];

async function expectShortFrames(stage: Stage, driver: Driver, count: number): Promise<void> {
  // The first frames may be compiled while they run.
  await driver.ask({ do: 'frames', count: 10, perFrame });
  const { frameP50us, frameP99us } = await driver.ask({ do: 'frames', count, perFrame });
  stage.note(`frames of ${perFrame} events: median ${frameP50us} µs, 99 % within ${frameP99us} µs`);
  // The median, because other processes delay single frames on a busy machine.
  if (!(Number(frameP50us) <= mostUs)) throw new Error(`half of the frames took over ${mostUs} µs`);
}
