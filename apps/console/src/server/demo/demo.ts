import { setTimeout as delay } from 'node:timers/promises';
import { deleteProjectPeople } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { type Quarantine, type QueueMonitor, readAccounts, type Usage } from '@tickrate/pipeline';
import type { AddressVoucher } from '@tickrate/platform';
import type { Postgres } from '@tickrate/postgres';
import type { DemoRecord, Registry } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { ProjectPreparer } from '../session/prepare-projects.ts';
import { createDemoClient } from './demo-client.ts';
import { demoName, furnishDemo, readTour, replaceKey, revokeKeys } from './demo-project.ts';
import { createEmberPlayers, eventsPerSession, playerCount, sessionsPerPlayer } from './ember-players.ts';
import type { TourStop } from './ember-saved.ts';
import { playLive } from './play-live.ts';
import { sendPast } from './send-past.ts';

export type DemoSetting = 'none' | 'offered' | 'started';

export interface DemoDeps {
  readonly setting: DemoSetting;
  readonly authUrl: string;
  /** Null means that there is no demo. */
  readonly gatewayUrl: string | null;
  readonly registry: Registry;
  readonly accounts: Postgres;
  readonly usage: Pick<Usage, 'accepted' | 'losses' | 'totals'>;
  readonly monitor: Pick<QueueMonitor, 'pending'>;
  readonly quarantine: Pick<Quarantine, 'purge'>;
  readonly warehouse: Pick<Warehouse, 'removeProject'>;
  readonly voucher: Pick<AddressVoucher, 'write'>;
  readonly preparer: Pick<ProjectPreparer, 'prepare'>;
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

export type DemoState = 'notOffered' | 'absent' | 'arriving' | 'live' | 'failed' | 'removing';

export interface DemoStatus {
  readonly state: DemoState;
  readonly projectId: string | null;
  /** Past events that were sent since the start of this process. */
  readonly sentEvents: number;
  readonly tour: readonly TourStop[];
}

/**
 * The simulated game, in a project of its own. At most one installation-wide, and played by one process. It continues after
 * a restart until it is removed.
 */
export interface Demo {
  status(): Promise<DemoStatus>;
  /** Creates the project and begins to play. Does nothing if it is there. Throws 2005 if it is not offered. */
  begin(): Promise<DemoStatus>;
  /** Stops playing and deletes the project with everything in it. Does nothing without a demo. */
  remove(): Promise<DemoStatus>;
  /** Continues to play, or begins if the setting says so. */
  start(): Promise<void>;
  /** Resolves when nothing is sent any more. */
  stop(): Promise<void>;
}

export const pastEventCount = playerCount * sessionsPerPlayer * eventsPerSession;
const pollMs = 200;
const settleMs = 60_000;
/** Gateways report within a second what they accepted. */
const quietReads = 10;

export function createDemo(deps: DemoDeps): Demo {
  const { setting, gatewayUrl, registry, preparer, onFault } = deps;
  const isOffered = setting !== 'none' && gatewayUrl !== null;
  let stopping = new AbortController();
  let playing: Promise<void> | null = null;
  let state: 'arriving' | 'live' | 'failed' | 'removing' = 'arriving';
  let sentEvents = 0;

  async function play({ projectId, startedMs, arrivedMs }: DemoRecord, signal: AbortSignal): Promise<void> {
    state = arrivedMs === null ? 'arriving' : 'live';
    sentEvents = 0;
    await furnishDemo(registry, projectId);
    preparer.prepare(projectId);
    const publicKey = await replaceKey(registry, projectId);
    const client = createDemoClient({ ...deps, gatewayUrl: gatewayUrl ?? '', publicKey, signal });
    const [first, ...others] = createEmberPlayers();
    if (first === undefined) return;
    if (arrivedMs === null) {
      const onSent = (events: number) => {
        sentEvents += events;
      };
      await sendPast({ client, players: [first, ...others], endMs: startedMs, onSent });
      await registry.endDemoArrival();
    }
    state = 'live';
    await playLive({ client, players: [first, ...others], now: deps.now, signal, onFault });
  }

  /** One at a time. What fails is shown as the state. */
  function run(work: (signal: AbortSignal) => Promise<void>): void {
    if (playing !== null) return;
    stopping = new AbortController();
    const { signal } = stopping;
    playing = work(signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        state = 'failed';
        onFault(error);
      })
      .finally(() => {
        playing = null;
      });
  }

  async function halt(): Promise<void> {
    stopping.abort();
    await playing;
  }

  async function status(): Promise<DemoStatus> {
    const record = isOffered ? await registry.demo() : null;
    if (record === null) {
      return { state: isOffered ? 'absent' : 'notOffered', projectId: null, sentEvents: 0, tour: [] };
    }
    const { projectId } = record;
    return { state, projectId, sentEvents, tour: await readTour(registry, projectId) };
  }

  async function begin(): Promise<DemoStatus> {
    if (!isOffered) throw systemError('notPermitted');
    const record = (await registry.demo()) ?? (await createDemoProject(deps));
    if (record !== null && state !== 'removing') run((signal) => play(record, signal));
    return status();
  }

  return {
    status,
    begin,
    async remove() {
      const record = isOffered ? await registry.demo() : null;
      if (record === null) return status();
      state = 'removing';
      try {
        await halt();
        await removeDemo(deps, record.projectId);
      } finally {
        state = 'arriving';
      }
      return status();
    },
    async start() {
      if (!isOffered) return;
      run(async (signal) => {
        const record = await beginWhenReady(deps, signal);
        if (record !== null) await play(record, signal);
      });
    },
    stop: halt,
  };
}

/** The first project of the installation is older than the demo. Null if nothing is to be played. */
async function beginWhenReady(deps: DemoDeps, signal: AbortSignal): Promise<DemoRecord | null> {
  const { registry, setting } = deps;
  const known = await registry.demo();
  if (known !== null || setting !== 'started') return known;
  while ((await registry.projects()).length === 0) await delay(pollMs, undefined, { signal });
  return createDemoProject(deps);
}

/** Null if another call created it at the same time. */
async function createDemoProject({ accounts, registry }: DemoDeps): Promise<DemoRecord | null> {
  await accounts.transaction(async (tx) => {
    const inside = registry.inTransaction(tx);
    const project = await inside.createProject({ name: demoName, testMode: true });
    if (!(await inside.beginDemo(project.id))) await inside.deleteProject(project.id);
  });
  return registry.demo();
}

/** Everything of the project, once all its events have arrived. */
async function removeDemo(deps: DemoDeps, projectId: string): Promise<void> {
  const { registry, accounts, quarantine, warehouse } = deps;
  await revokeKeys(registry, projectId);
  await whenSettled(deps, projectId);
  await quarantine.purge(projectId);
  await warehouse.removeProject(projectId);
  const others = (await registry.projects()).filter(({ id }) => id !== projectId);
  await accounts.transaction(async (tx) => {
    await deleteProjectPeople(tx, { projectId, nextProjectId: others[0]?.id ?? null });
    await registry.inTransaction(tx).deleteProject(projectId);
  });
}

/** An event in delivery must not be deleted: delivery counts rows. */
async function whenSettled({ usage, monitor, now }: DemoDeps, projectId: string): Promise<void> {
  const untilMs = now() + settleMs;
  for (let quiet = 0; quiet < quietReads; ) {
    const accounts = await readAccounts({ usage, pending: () => monitor.pending() });
    quiet = (accounts.get(projectId)?.pending ?? 0) === 0 ? quiet + 1 : 0;
    if (now() > untilMs) throw systemError('temporarilyUnavailable', { retryAfterSeconds: 10 });
    await delay(pollMs);
  }
}
