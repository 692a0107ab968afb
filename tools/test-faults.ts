import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { faultKinds, planRounds } from '../tests/faults/fault-plan.ts';
import { availableBackends } from '../tests/faults/fault-stack.ts';
import { type FaultRun, runFaults } from '../tests/faults/run-faults.ts';
import { runFullDisk } from '../tests/faults/run-full-disk.ts';
import { diskKinds } from '../tests/faults/small-disk.ts';

/** Runs the event path under every fault, alone and combined: `--minutes` is for each backend. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
    backend: { type: 'string', default: 'both' },
    round: { type: 'string' },
  },
});
const seed = Number(values.seed);
const wanted = values.backend === 'both' ? ['postgres', 'redis'] : [values.backend];
const backends = availableBackends().filter((backend) => wanted.includes(backend));
for (const backend of wanted.filter((name) => !backends.some((available) => available === name))) {
  console.log(`SKIPPED: ${backend} (for redis: no redis-server or valkey-server, or no caddy, on the PATH)`);
}
console.log(`seed ${seed}: replay with --seed ${seed}, one round of it with --backend B --round N as well`);

// The databases run in separate sessions: Ctrl-C ends the round and then them; a second Ctrl-C does not wait.
let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
});

const runs: FaultRun[] = [];
for (const backend of backends) {
  console.log(`\nqueue on ${backend}`);
  const run = await runFaults({
    backend,
    seed,
    plans: untilStopped(planRounds({ backend, seed, from: Number(values.round ?? 0) })),
    runMs: values.round === undefined ? Number(values.minutes) * 60_000 : 0,
    timeoutMs: 90_000,
    report: (line) => console.log(line),
  });
  runs.push(run);
  for (const failure of run.failures) console.log(`${backend}: ${failure}`);
}
const diskFailures = values.round === undefined && !isStopped ? await fillDisks() : [];
console.log('\nfaults');
console.table(Object.fromEntries(faultKinds.map((kind) => [kind, countsOf(kind)])));
console.table(Object.fromEntries(runs.map((run) => [run.backend, summaryOf(run)])));
for (const failure of diskFailures) console.log(failure);
const isRight =
  diskFailures.length === 0 &&
  runs.length > 0 &&
  runs.every(({ failures, rounds }) => failures.length === 0 && rounds.length > 0);
console.log(isRight ? `seed ${seed}: each event exactly once` : `seed ${seed}: WRONG`);
process.exitCode = isRight ? 0 : 1;

/** Runs `npm start` on small file systems that are filled to the last byte and freed. */
async function fillDisks(): Promise<string[]> {
  const failures: string[] = [];
  for (const kind of diskKinds) {
    console.log(`\nfull disk (${kind})`);
    const run = await runFullDisk({
      kind,
      seed,
      fills: 4,
      timeoutMs: 90_000,
      report: (line) => console.log(line),
    });
    if (run === null) {
      console.log(`SKIPPED: a full disk (${kind}): this process may not mount a file system`);
      continue;
    }
    const { acknowledged, rows, missing, doubled } = run.verdict;
    console.log(`  ${acknowledged} acknowledged, ${rows} stored, ${missing} missing, ${doubled} doubled`);
    failures.push(...run.verdict.failures.map((words) => `full disk (${kind}): ${words}`));
  }
  return failures;
}

function* untilStopped<T>(plans: Iterable<T>): Generator<T> {
  for (const plan of plans) {
    if (isStopped) return;
    yield plan;
  }
}

function countsOf(kind: string): Record<string, number> {
  const count = ({ rounds }: FaultRun) =>
    rounds.flatMap(({ plan }) => plan.faults).filter((fault) => fault.kind === kind).length;
  return Object.fromEntries(runs.map((run) => [run.backend, count(run)]));
}

function summaryOf({ rounds, elapsedMs }: FaultRun): Record<string, number | string> {
  const sum = (read: (round: FaultRun['rounds'][number]) => number) =>
    rounds.reduce((total, round) => total + read(round), 0);
  const isRestored = ({ plan }: FaultRun['rounds'][number]) =>
    plan.faults.some((fault) => fault.kind === 'restoredRedis');
  return {
    minutes: (elapsedMs / 60_000).toFixed(1),
    rounds: rounds.length,
    faults: sum(({ plan }) => plan.faults.length),
    acknowledged: sum(({ verdict }) => verdict.acknowledged),
    missing: sum((round) => (isRestored(round) ? 0 : round.verdict.missing)),
    'lost by Redis': sum((round) => (isRestored(round) ? round.verdict.missing : 0)),
    doubled: sum(({ verdict }) => verdict.doubled),
    accepted: sum(({ verdict }) => verdict.account.accepted),
    stored: sum(({ verdict }) => verdict.account.stored),
    deduplicated: sum(({ verdict }) => verdict.account.deduplicated),
    dead: sum(({ verdict }) => verdict.account.dead),
    pending: sum(({ verdict }) => verdict.account.pending),
  };
}
