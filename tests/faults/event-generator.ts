import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SendingProject } from '../event-path/prepare-stores.ts';
import { type PlannedRequest, planRequest } from './plan-request.ts';
import { createRememberedEvents, type RememberedEvents } from './remembered-events.ts';
import type { SeededRandom } from './seeded-random.ts';
import { sendRequest } from './send-request.ts';

export interface GeneratorReport {
  readonly requests: number;
  /** 503: refusing is allowed. */
  readonly refused: number;
  /** No answer: unknown until the stored events are read. */
  readonly unanswered: number;
  /** Neither success nor a refusal: never an answer to a correct request. */
  readonly wrong: readonly string[];
}

/** Sends numbered events and records the acknowledged ones. */
export interface EventGenerator extends SendingProject {
  readonly events: RememberedEvents;
  /** Events that were acknowledged, repeats included. */
  answered(): number;
  /** Sends until `stopped`. Resolves when every request is answered or given up. */
  run(stopped: Promise<unknown>): Promise<void>;
  report(): GeneratorReport;
}

export interface GeneratorOptions extends SendingProject {
  readonly ports: readonly number[];
  readonly senders: number;
  readonly random: SeededRandom;
}

export function createEventGenerator(options: GeneratorOptions): EventGenerator {
  const events = createRememberedEvents();
  const attempts = createAttempts(options, events);
  const { random, projectId, apiKey, publicKey, senders } = options;

  /** Until it was acknowledged the wanted number of times, or cannot be repeated. */
  async function deliver(agent: Agent, planned: PlannedRequest, isStopped: () => boolean): Promise<void> {
    let wanted = planned.isRepeatable && random.next() < 0.2 ? 2 : 1;
    for (let isFirst = true; wanted > 0 && (isFirst || !isStopped()); isFirst = false) {
      if (await attempts.attempt(agent, planned)) wanted--;
      else if (!planned.isRepeatable) return;
      else await delay(random.between(50, 300));
    }
  }

  async function send(agent: Agent, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      await deliver(agent, planRequest(events, random), isStopped);
      await delay(random.between(0, 25));
    }
  }

  return {
    events,
    projectId,
    apiKey,
    publicKey,
    answered: attempts.answered,
    report: attempts.report,
    async run(stopped) {
      let isOver = false;
      const stopping = stopped.finally(() => {
        isOver = true;
      });
      const agent = new Agent({ keepAlive: true });
      const sending = Array.from({ length: senders }, () => send(agent, () => isOver));
      await Promise.all([stopping, ...sending]).finally(() => agent.destroy());
    },
  };
}

function createAttempts({ ports, random, apiKey }: GeneratorOptions, events: RememberedEvents) {
  const counts = { requests: 0, refused: 0, unanswered: 0 };
  const wrong: string[] = [];
  let answered = 0;
  return {
    answered: () => answered,
    report: () => ({ ...counts, wrong }),
    /** True when the events were acknowledged. */
    async attempt(
      agent: Agent,
      { path, body, headers: own, first, count }: PlannedRequest,
    ): Promise<boolean> {
      counts.requests++;
      const headers = { ...own, 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
      const port = random.pick(ports);
      const answer = await sendRequest({ agent, port, path, headers, body, timeoutMs: 10_000 });
      if (answer?.status === 200) {
        events.acknowledge(first, count);
        answered += count;
        return true;
      }
      if (answer === null || answer.text.includes('"outcomeUnknown":true')) events.doubt(first, count);
      if (answer === null) counts.unanswered++;
      else if (answer.status === 503) counts.refused++;
      else wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      return false;
    },
  };
}
