import { type Component, type PolicySpending, type RateLimiter, sleep } from '@tickrate/platform';
import type { Postgres } from '@tickrate/postgres';
import { createBroadcast } from '@tickrate/registry';
import type { RatePolicy } from './rates.ts';

interface SharedRatesOptions {
  readonly limiter: Pick<RateLimiter<RatePolicy>, 'spent' | 'owe'>;
  /** The name of this gateway, without a space. */
  readonly sender: string;
  readonly send: (messages: readonly string[]) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Usage below this share of a rate is not sent: the total is wrong by at most this much. */
const sentShare = 0.04;
const mostBytes = 7_900;
const mostBuckets = 2_000;

/**
 * Every gateway counts in its own buckets, and subtracts the usage of the others a moment later. So the total is that
 * of one bucket, whichever gateway gets the requests. Excess usage in that moment is subtracted later.
 */
export function createSharedRates({ limiter, sender, send, onFault }: SharedRatesOptions) {
  return {
    /** Sends the local usage to the other gateways. False if there was too little to send. Never rejects. */
    async report(): Promise<boolean> {
      const spendings = limiter
        .spent(sentShare)
        .sort((a, b) => b.cost / b.rate.perSecond - a.cost / a.rate.perSecond);
      if (spendings.length === 0) return false;
      try {
        await send(messagesOf(sender, spendings.slice(0, mostBuckets)));
      } catch (error) {
        onFault(error);
      }
      return true;
    },
    /** Applies a message of another gateway. Ignores unknown lines. */
    hear(message: string) {
      const [from, ...lines] = message.split('\n');
      if (from === sender) return;
      for (const line of lines) {
        const spending = readLine(line);
        if (spending !== null) limiter.owe(spending);
      }
    },
  };
}

const everyMs = 200;
/** After a round without usage that matters: such rounds only cost wake-ups. */
const quietEveryMs = 1_000;

/** Keeps sending and applying usage while it runs. */
export function shareRates({
  postgres,
  ...options
}: Omit<SharedRatesOptions, 'send'> & { readonly postgres: Postgres }): Component {
  const broadcast = createBroadcast({
    postgres,
    channel: 'tickrate_rates',
    onMessage: (message) => shared.hear(message),
  });
  const shared = createSharedRates({ ...options, send: broadcast.send });
  const stopping = new AbortController();

  async function keepReporting(): Promise<void> {
    let hadUsage = false;
    for (;;) {
      await sleep(hadUsage ? everyMs : quietEveryMs, stopping.signal);
      if (stopping.signal.aborted) return;
      hadUsage = await shared.report();
    }
  }

  return {
    name: 'shared-rates',
    async start() {
      broadcast.start();
      void keepReporting();
    },
    async stop() {
      // While the ledger is away, waiting for a report gains nothing.
      stopping.abort();
      await broadcast.stop();
    },
  };
}

function messagesOf(sender: string, spendings: readonly PolicySpending<RatePolicy>[]): string[] {
  const messages: string[] = [];
  let message = sender;
  for (const { policy, rate, cost, key } of spendings) {
    const line = `\n${policy} ${rate.perSecond} ${rate.burst} ${cost} ${key}`;
    if (message.length + line.length > mostBytes) {
      messages.push(message);
      message = sender;
    }
    message += line;
  }
  return [...messages, message];
}

const lineShape = /^(address|key|project) (\d{1,9}) (\d{1,9}) (\d{1,9}) ([\x20-\x7e]{1,200})$/;

function readLine(line: string): PolicySpending<RatePolicy> | null {
  const [, policy, perSecond, burst, cost, key] = lineShape.exec(line) ?? [];
  if (policy === undefined || key === undefined || !(Number(perSecond) > 0)) return null;
  const rate = { perSecond: Number(perSecond), burst: Number(burst) };
  return { policy: policy as RatePolicy, key, rate, cost: Number(cost) };
}
