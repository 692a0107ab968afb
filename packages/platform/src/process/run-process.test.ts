import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from './run-process.ts';

const platform = JSON.stringify(new URL('../index.ts', import.meta.url).href);
const folder = await mkdtemp(join(tmpdir(), 'run-process-'));
afterAll(() => rm(folder, { recursive: true }));
let count = 0;

interface Child {
  readonly process: ChildProcess;
  /** Resolves when the text was written to either output. */
  wrote(text: string): Promise<void>;
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
}

// A real main.ts: what it writes and how it exits is what an operator sees.
async function run(body: string, args: readonly string[] = []): Promise<Child> {
  const path = join(folder, `main-${count++}.ts`);
  await writeFile(
    path,
    `import { createLogger, createMetrics, defineConfig, runProcess } from ${platform};
     const telemetry = { logger: createLogger({ name: 'child' }), metrics: createMetrics() };
     const say = (text: string) => process.stderr.write(text + '\\n');
     const part = (name: string, more = {}) => ({
       name,
       start: async () => say('start ' + name),
       drain: async () => say('drain ' + name),
       stop: async () => say('stop ' + name),
       ...more,
     });
     const alive = { name: 'alive', start: async () => { setInterval(() => null, 1000); say('running'); } };
     ${body}`,
  );
  const child = fork(path, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  const news = new EventTarget();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
      news.dispatchEvent(new Event('data'));
    });
  }
  // Not 'close': Node never emits it for a child whose channel the parent has closed.
  const ends = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'end'));
  const closed = Promise.all([once(child, 'exit'), ...ends]);
  return {
    process: child,
    wrote: async (text) => {
      while (!output.includes(text)) await once(news, 'data');
    },
    ended: async () => {
      const [[code]] = await closed;
      return { code, output };
    },
  };
}

const plain = `runProcess(() => ({ ...telemetry, components: [part('a'), part('b'), alive] }));`;

describe('a process', () => {
  test('that receives a stop signal stops in order and exits with 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = await run(plain);
      await child.wrote('running');
      child.process.kill(signal);
      const { code, output } = await child.ended();
      expect(code).toBe(exitCodes.stopped);
      expect(output).toMatch(/drain b\ndrain a\nstop b\nstop a\n/);
      expect(output).toContain('"msg":"stopped"');
    }
  });

  test('logs a misspelled setting at the start', async () => {
    const child = await run(
      `process.env.QUEUE_SHARD = '2';
       const config = defineConfig({ shards: { name: 'QUEUE_SHARDS', type: 'int', default: 1, help: 'Shards' } });
       runProcess(() => ({ ...telemetry, components: [alive] }), { config });`,
    );
    await child.wrote('QUEUE_SHARD is not a setting: did you mean QUEUE_SHARDS?');
    child.process.kill('SIGTERM');
    expect((await child.ended()).code).toBe(exitCodes.stopped);
  });

  test('that receives two stop signals ends at once', async () => {
    const child = await run(
      `runProcess(() => ({ ...telemetry, components: [part('a', { drain: () => { say('stuck'); return new Promise(() => null); } }), alive] }));`,
    );
    await child.wrote('running');
    child.process.kill('SIGTERM');
    await child.wrote('stuck');
    child.process.kill('SIGTERM');
    expect((await child.ended()).code).toBe(143);
  });

  test('below npm receives a Ctrl-C twice, and counts it as one', async () => {
    const child = await run(plain);
    await child.wrote('running');
    child.process.kill('SIGINT');
    child.process.kill('SIGINT');
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.stopped);
    expect(output).toContain('stop a');
  });

  test('reports at the end that work is unfinished', async () => {
    const child = await run(
      `runProcess(() => ({ ...telemetry, stopTimeoutMs: 100, abandon: () => say('abandoned'), components: [part('a', { drain: () => new Promise(() => null) }), alive] }));`,
    );
    await child.wrote('running');
    child.process.kill('SIGHUP');
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.stopTimedOut);
    expect(output).toMatch(/stop a\nabandoned\n/);
  });

  test('that does not stop in time exits with 75 and names the late component', async () => {
    const child = await run(
      `runProcess(() => ({ ...telemetry, stopTimeoutMs: 100, components: [part('a', { drain: () => new Promise(() => null) }), alive] }));`,
    );
    await child.wrote('running');
    child.process.kill('SIGTERM');
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.stopTimedOut);
    expect(output).toContain('"component":"a","step":"drain"');
    expect(output).toContain('stop a');
  });

  test('whose parent has ended stops', async () => {
    const child = await run(plain);
    await child.wrote('running');
    child.process.disconnect();
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.stopped);
    expect(output).toContain('stop a');
  });

  test('with an invalid configuration reports every fault and exits with 78 before anything starts', async () => {
    const child = await run(`
      const config = defineConfig({ a: { name: 'NOT_SET', type: 'string', help: 'A' }, b: { name: 'ALSO_NOT', type: 'int', help: 'B' } });
      runProcess(() => { config.parse({ ALSO_NOT: 'x' }); return { ...telemetry, components: [part('a')] }; }, { config });`);
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.configFault);
    expect(output).toContain('NOT_SET is required');
    expect(output).toContain('ALSO_NOT must be an integer');
    expect(output).not.toContain('start a');
  });

  test('with --help prints the help and exits with 0', async () => {
    const child = await run(
      `const config = defineConfig({ a: { name: 'THE_NAME', type: 'string', help: 'A' } });
       runProcess(() => { throw new Error('not reached'); }, { config });`,
      ['--help'],
    );
    const { code, output } = await child.ended();
    expect(code).toBe(0);
    expect(output).toContain('THE_NAME');
  });

  test('whose component cannot start stops the others and exits with 69', async () => {
    const child = await run(
      `runProcess(() => ({ ...telemetry, components: [part('a'), part('b', { start: async () => { throw new Error('port taken'); } }), alive] }));`,
    );
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.startFailed);
    expect(output).toContain('port taken');
    expect(output).toContain('stop a');
    expect(output).not.toContain('running');
  });

  test.each([
    ['at its start', 'throw fault'],
    ['later', 'setTimeout(() => { throw fault; }, 0)'],
  ])(
    'that finds %s that a setting cannot be used stops the others and exits with 78',
    async (_when, fault) => {
      const child = await run(
        `import { ConfigFault } from ${platform};
       const fault = new ConfigFault([{ name: 'THE_NAME', fault: 'cannot be used' }]);
       runProcess(() => ({ ...telemetry, components: [part('a'), part('b', { start: async () => { ${fault}; } }), alive] }));`,
      );
      const { code, output } = await child.ended();
      expect(code).toBe(exitCodes.configFault);
      expect(output).toContain('THE_NAME cannot be used');
      expect(output).toContain('stop a');
    },
  );

  test.each([
    ['exception', `setTimeout(() => { throw new Error('out of the blue'); }, 0)`],
    ['rejection', `Promise.reject(new Error('out of the blue'))`],
  ])('with an uncaught %s logs it once, stops and exits with 70', async (_kind, fault) => {
    const child = await run(
      `runProcess(() => ({ ...telemetry, components: [part('a'), { name: 'f', start: async () => { ${fault}; } }, alive] }));`,
    );
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.internalFault);
    expect(output.match(/"message":"out of the blue"/g)).toHaveLength(1);
    expect(output).toContain('stop a');
  });

  test('that cannot be created exits with 70 and the reason', async () => {
    const child = await run(`runProcess(() => { throw new Error('cannot be made'); });`);
    const { code, output } = await child.ended();
    expect(code).toBe(exitCodes.internalFault);
    expect(output).toContain('cannot be made');
  });
});
