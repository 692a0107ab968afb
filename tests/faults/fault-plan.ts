import { type Backend, lockMs, queueServers, routeNames } from './fault-stack.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

export const faultKinds = [
  'kill',
  'freeze',
  'cut',
  'refuse',
  'hang',
  'slow',
  'loseAnswers',
  'lostLock',
  'awayLonger',
  'rollingRestart',
  'clockJump',
  'restoredRedis',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One fault: when it begins, on whom, for how long; `strength` is depends on the kind (ms of a delay, a jump). */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly target: string;
  readonly atMs: number;
  readonly lastsMs: number;
  readonly strength: number;
}

export interface RoundPlan {
  readonly round: number;
  readonly loadMs: number;
  readonly faults: readonly PlannedFault[];
}

export interface PlannedRounds {
  readonly backend: Backend;
  readonly seed: number;
  /** The first round; the others follow. */
  readonly from: number;
}

const gateways = ['gateway-1', 'gateway-2'];
const workers = ['worker-1', 'worker-2', 'worker-3'];
const auths = ['auth-1', 'auth-2'];
const consoles = ['console-1', 'console-2'];
const allApps = [...gateways, ...workers, ...auths, ...consoles];

interface Draw {
  readonly targets: readonly string[];
  lastsMs(random: SeededRandom): number;
  strength?(random: SeededRandom): number;
}

const jumpsMs = [1_000, 90_000, 3_600_000, 26 * 3_600_000, 9 * 86_400_000, 40 * 86_400_000];
const shortly = (random: SeededRandom) => random.between(200, 2_500);

/** The variants of each kind. */
function drawsOf(backend: Backend): ReadonlyMap<FaultKind, readonly Draw[]> {
  const stores = [...new Set([...queueServers(backend), 'postgres', 'clickhouse'])];
  const [apps, services] =
    backend === 'redis' ? [allApps, [...stores, 'proxy']] : [[...gateways, ...workers], stores];
  const routes = routeNames(backend);
  const each = (targets: readonly string[], lastsMs = shortly) =>
    targets.map((target) => ({ targets: [target], lastsMs }));
  return new Map<FaultKind, readonly Draw[]>([
    ['kill', each([...apps, ...services])],
    ['freeze', each([...apps, ...services])],
    ['cut', [{ targets: routes, lastsMs: shortly }]],
    ['refuse', [{ targets: routes, lastsMs: shortly }]],
    ['hang', [{ targets: routes, lastsMs: shortly }]],
    ['slow', [{ targets: routes, lastsMs: shortly, strength: (random) => random.between(20, 300) }]],
    ['loseAnswers', each(routes)],
    ['lostLock', [{ targets: workers, lastsMs: (random) => random.between(2 * lockMs, 3 * lockMs) }]],
    [
      'awayLonger',
      [{ targets: ['clickhouse'], lastsMs: (random) => random.between(2 * lockMs, 3 * lockMs) }],
    ],
    ['rollingRestart', [{ targets: ['apps'], lastsMs: () => 0 }]],
    [
      'clockJump',
      [gateways, workers].map((targets) => ({
        targets,
        // 0: until the next round begins, so that recovery happens with a wrong clock.
        lastsMs: (random: SeededRandom) => random.pick([0, random.between(500, 4_000)]),
        strength: (random: SeededRandom) => random.pick(jumpsMs) * random.pick([-1, 1]),
      })),
    ],
    ...(backend === 'redis'
      ? [['restoredRedis', [{ targets: ['redis-1'], lastsMs: () => 0 }]] as const]
      : []),
  ]);
}

/**
 * Endless rounds. The first rounds have each kind on each service, process and answer path once as the main fault, in
 * a shuffled order, with up to three random others. Later rounds repeat this with other combinations.
 */
export function* planRounds({ backend, seed, from }: PlannedRounds): Generator<RoundPlan> {
  const leads = createSeededRandom(seed, `leads ${backend}`).shuffled(leadsOf(backend));
  for (let round = from; ; round++) {
    const lead = leads[round % leads.length];
    const random = createSeededRandom(seed, `round ${backend} ${round}`);
    if (lead !== undefined) yield planRound({ backend, round, random }, lead);
  }
}

interface Lead {
  readonly kind: FaultKind;
  readonly draw: Draw;
}

function leadsOf(backend: Backend): Lead[] {
  return [...drawsOf(backend)].flatMap(([kind, draws]) => draws.map((draw) => ({ kind, draw })));
}

interface RoundOptions {
  readonly backend: Backend;
  readonly round: number;
  readonly random: SeededRandom;
}

function planRound({ backend, round, random }: RoundOptions, lead: Lead): RoundPlan {
  const loadMs = random.between(4_000, 7_000);
  const faults = [drawFault(lead, loadMs, random)];
  const companions = isAlone(lead.kind) ? 0 : random.pick([0, 0, 1, 1, 2, 3]);
  const choices = drawsOf(backend);
  const kinds = [...choices.keys()].filter((kind) => !isAlone(kind));
  for (let n = 0; n < companions; n++) {
    const kind = random.pick(kinds);
    const fault = drawFault({ kind, draw: random.pick(choices.get(kind) ?? []) }, loadMs, random);
    if (!faults.some((other) => areInConflict(other, fault))) faults.push(fault);
  }
  return { round, loadMs, faults };
}

/** One round for everyday runs: the faults that broke most prototypes, all at once. */
export function planShortRound(backend: Backend, seed: number): RoundPlan {
  const random = createSeededRandom(seed, `short ${backend}`);
  const [killed, frozen] = random.shuffled(workers);
  const at = (target: string | undefined, kind: FaultKind, lastsMs: number): PlannedFault => {
    return { kind, target: target ?? '', atMs: random.between(300, 1_500), lastsMs, strength: 0 };
  };
  const faults = [
    at(random.pick(gateways), 'kill', 300),
    at(killed, 'kill', 300),
    at(frozen, 'lostLock', 1.5 * lockMs),
    at('worker-clickhouse', 'loseAnswers', 600),
    at(random.pick(queueServers(backend)), 'kill', 100),
    at(random.pick(['gateway-queue-1', 'worker-queue-1']), 'cut', 500),
    ...(backend === 'redis' ? [at(random.pick(auths), 'kill', 300), at('proxy', 'kill', 100)] : []),
  ];
  return { round: 0, loadMs: 3_000, faults };
}

function drawFault({ kind, draw }: Lead, loadMs: number, random: SeededRandom): PlannedFault {
  return {
    kind,
    target: random.pick(draw.targets),
    atMs: random.between(300, loadMs - 1_500),
    lastsMs: draw.lastsMs(random),
    strength: draw.strength?.(random) ?? 0,
  };
}

/** This fault itself loses acknowledged events, so it has its own rules. */
function isAlone(kind: FaultKind): boolean {
  return kind === 'restoredRedis';
}

function areInConflict(a: PlannedFault, b: PlannedFault): boolean {
  const isHandled = ({ kind, target }: PlannedFault) => kind !== 'clockJump' && allApps.includes(target);
  const restarts = a.target === 'apps' || b.target === 'apps';
  return a.target === b.target || (restarts && (isHandled(a) || isHandled(b)));
}

export function describeFault({ kind, target, atMs, lastsMs, strength }: PlannedFault): string {
  const lasting = lastsMs > 0 ? ` for ${lastsMs} ms` : '';
  const by = strength === 0 ? '' : ` by ${strength} ms`;
  return `${kind} ${target}${by} at ${atMs}${lasting}`;
}
