import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RunningProduct } from './running-product.ts';

/** The volume to send and the kills of the worker. */
export interface DeliveryPlan {
  readonly requests: number;
  readonly eventsPerRequest: number;
  /** The share of requests that are sent twice under one idempotency key. */
  readonly repeated: number;
  readonly kills: number;
  readonly senders: number;
}

export interface DeliveryReport {
  readonly sent: number;
  readonly repeatedRequests: number;
  readonly retriedRequests: number;
  readonly kills: number;
  readonly views: readonly ViewReport[];
  readonly totals: Totals;
}

export interface ViewReport {
  readonly type: string;
  readonly sent: number;
  readonly rows: number;
  readonly distinct: number;
  readonly first: number;
  readonly last: number;
}

export interface Totals {
  readonly accepted: number;
  readonly stored: number;
  readonly pending: number;
  readonly deduplicated: number;
  readonly dead: number;
}

interface Kind {
  readonly type: string;
  /** The member that numbers the events of this type, from 0 on without a gap. */
  readonly number: string;
  event(number: number): object;
}

const kinds: readonly Kind[] = [
  {
    type: 'level_up',
    number: 'score',
    event: (score) => ({ level: 1 + (score % 100), score, character: `character_${score % 37}` }),
  },
  {
    type: 'match_finished',
    number: 'kills',
    event: (kills) => ({
      match_id: randomUUID(),
      mode: 'duel',
      result: 'won',
      kills,
      weapons: ['bow', 'axe'],
    }),
  },
  {
    type: 'purchase',
    number: 'amount_minor',
    event: (amount) => ({
      item_id: `item_${amount % 91}`,
      quantity: 1,
      currency: 'gems',
      amount_minor: amount,
    }),
  },
];

/** Sends everything by batchInsert and multiInsert while the worker is killed, and counts the rows of the views. */
export async function runDelivery(product: RunningProduct, plan: DeliveryPlan): Promise<DeliveryReport> {
  const requests = planRequests(plan);
  const counts = { done: 0, retried: 0, repeated: 0 };
  const killing = killWorker(product, plan, () => counts.done / requests.length);
  const waiting = [...requests];
  const send = async () => {
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      const attempts = request.twice ? [request, request] : [request];
      if (request.twice) counts.repeated++;
      for (const retries of await Promise.all(attempts.map((each) => deliver(product, each))))
        counts.retried += retries;
      counts.done++;
    }
  };
  await Promise.all(Array.from({ length: plan.senders }, send));
  const kills = await killing;
  const sent = plan.requests * plan.eventsPerRequest;
  const views = await settledViews(product, requests, plan.eventsPerRequest);
  const totals = await settledTotals(product);
  return { sent, repeatedRequests: counts.repeated, retriedRequests: counts.retried, kills, views, totals };
}

interface PlannedRequest {
  readonly kind: Kind;
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string;
  readonly twice: boolean;
}

function planRequests({ requests, eventsPerRequest, repeated }: DeliveryPlan): PlannedRequest[] {
  const everyNth = Math.max(1, Math.round(1 / repeated));
  return Array.from({ length: requests }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? fail();
    const first = Math.floor(index / kinds.length) * eventsPerRequest;
    const events = Array.from({ length: eventsPerRequest }, (_, n) => kind.event(first + n));
    const isMulti = Math.floor(index / kinds.length) % 2 === 1;
    return {
      kind,
      path: isMulti ? 'multiInsert?atomic=true' : `batchInsert?eventType=${kind.type}`,
      body: JSON.stringify(isMulti ? events.map((event) => ({ eventType: kind.type, event })) : events),
      idempotencyKey: randomUUID(),
      twice: index % everyNth === 0,
    };
  });
}

/** Retries under one idempotency key until the request is accepted. Returns the number of retries. */
async function deliver({ gateway, keys }: RunningProduct, request: PlannedRequest): Promise<number> {
  for (let retries = 0; ; retries++) {
    const answer = await fetch(`${gateway}/v1/event/${request.path}`, {
      method: 'PUT',
      headers: {
        'X-API-Key': keys.administrative,
        'Content-Type': 'application/json',
        'Idempotency-Key': request.idempotencyKey,
      },
      body: request.body,
    });
    const text = await answer.text();
    if (answer.status === 200) return retries;
    if (answer.status !== 503 && answer.status !== 429) throw new Error(`${answer.status} ${text}`);
    await delay(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

async function killWorker(
  product: RunningProduct,
  { kills }: DeliveryPlan,
  progress: () => number,
): Promise<number> {
  for (let killed = 0; killed < kills; ) {
    await delay(20);
    if (progress() < (killed + 0.5) / kills) continue;
    const pid = product.pidOf('worker');
    if (pid === null) continue;
    process.kill(pid, 'SIGKILL');
    killed++;
  }
  return kills;
}

async function settledViews(
  product: RunningProduct,
  requests: readonly PlannedRequest[],
  eventsPerRequest: number,
): Promise<ViewReport[]> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const views = await Promise.all(
      kinds.map((kind) => {
        const sent = requests.filter((request) => request.kind === kind).length * eventsPerRequest;
        return readView(product, kind, sent);
      }),
    );
    const isComplete = views.every(({ rows, sent }) => rows >= sent);
    if (isComplete || performance.now() > deadline) return views;
    await delay(200);
  }
}

async function readView(
  { clickhouse, projectId }: RunningProduct,
  kind: Kind,
  sent: number,
): Promise<ViewReport> {
  const { type, number } = kind;
  const url = new URL(clickhouse);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const view = `project_${projectId.replaceAll(/[^A-Za-z0-9]/g, '_')}.${type}`;
  const sql = `SELECT count(), uniqExact(${number}), min(${number}), max(${number}) FROM ${view} FORMAT JSONCompactEachRow`;
  const answer = await fetch(`${url.origin}/?output_format_json_quote_64bit_integers=0`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    body: sql,
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  const [rows, distinct, first, last] = (await answer.json()) as [number, number, number, number];
  return { type, sent, rows, distinct, first, last };
}

const tickrateMain = join(import.meta.dirname, '..', 'apps', 'cli', 'src', 'main.ts');

/** The ledger's numbers once nothing is pending. */
async function settledTotals({ folder }: RunningProduct): Promise<Totals> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const args = [tickrateMain, 'status', '--json', '--data', folder];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { events: totals } = JSON.parse(stdout) as { events: Totals };
    if (totals.pending === 0 || performance.now() > deadline) return totals;
    await delay(200);
  }
}

function fail(): never {
  throw new Error('there are no kinds of events');
}
