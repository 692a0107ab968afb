import { randomUUID } from 'node:crypto';
import { folderFault } from '../data-folder.ts';
import { type ServeCommand, type ServeReply, type Serving, serve } from './serve.ts';

const STOP_MS = 4500;

let serving: Promise<Serving> | undefined;
let stopping = false;

process.once('message', (command: ServeCommand) => {
  serving = serve(command, {
    newId: randomUUID,
    nowMs: () => performance.now(),
    write: (line) => process.stdout.write(`${line}\n`),
    endProcess: () => process.kill(process.pid, 'SIGKILL'),
  });
  serving.then(
    ({ port, version }) => reply({ kind: 'ready', port, version }),
    (error: unknown) => {
      reply(describe(command.dataDir, error));
      process.exit(1);
    },
  );
});
// A parent that has ended reads no log.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// The parent has ended, and no other process would stop this one.
process.on('disconnect', () => void stop());

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_MS).unref();
  await serving?.then((running) => running.stop()).catch(() => undefined);
  process.exit(0);
}

function reply(message: ServeReply): void {
  if (process.connected) process.send?.(message);
}

function describe(dataDir: string, error: unknown): ServeReply {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = error instanceof Error ? error.message : String(error);
  if (code === 'EADDRINUSE') return { kind: 'fault', reason: 'portTaken', cause };
  const folder = folderFault(dataDir, error);
  if (folder !== undefined) return { kind: 'fault', reason: folder.reason, cause };
  if (/No space left|NOT_ENOUGH_SPACE/.test(cause)) return { kind: 'fault', reason: 'diskFull', cause };
  return { kind: 'fault', reason: 'startFailed', cause };
}
