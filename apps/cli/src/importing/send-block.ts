import { createHash } from 'node:crypto';
import type { PartialAnswer } from '@tickrate/contract';
import { sleep } from '@tickrate/platform';
import { Refusal } from '../calling/api.ts';
import { CommandFault, commandCodes } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/define-command.ts';
import type { ImportReport, ReportedEvent } from './import-report.ts';

export interface Block {
  /** From 1, in the file. */
  readonly number: number;
  readonly events: readonly BlockEvent[];
}

interface BlockEvent extends ReportedEvent {
  /** Its JSON. */
  readonly text: string;
}

/** Errors that one event causes for its whole request: invalid JSON, an invalid member, a body that is too large. */
const causedByOneEvent: readonly number[] = [1001, 1003, 1004];
const mostWaits = 20;

/**
 * Resolves when the gateway has answered for every event of a block. It waits while the gateway limits the rate. A block that it
 * refuses as a whole is halved until the events that cause this are alone: these are reported as rejected.
 */
export function createSendBlock(
  { api, signal }: Pick<CommandContext, 'api' | 'signal'>,
  report: ImportReport,
): (block: Block) => Promise<void> {
  async function send(block: Block): Promise<void> {
    const answer = await ask(block).catch((error) => {
      if (error instanceof Refusal && causedByOneEvent.includes(error.error?.code ?? 0)) return error;
      throw error;
    });
    if (!(answer instanceof Refusal)) return report.addAnswer(answer, block.events);
    const { number, events } = block;
    const [first, second] = events;
    if (first !== undefined && second === undefined) return report.addInvalid(first.place, answer.message);
    const half = Math.ceil(events.length / 2);
    await send({ number, events: events.slice(0, half) });
    await send({ number, events: events.slice(half) });
  }

  /** One attempt, and more while the gateway says when to come back. */
  async function ask(block: Block): Promise<PartialAnswer> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await attempt(block);
      } catch (error) {
        const seconds = error instanceof Refusal ? error.error?.data['retryAfterSeconds'] : undefined;
        if (typeof seconds !== 'number' || seconds > 60 || waits === mostWaits) throw error;
        await sleep(seconds * 1000, signal);
        signal.throwIfAborted();
      }
    }
  }

  async function attempt({ number, events }: Block): Promise<PartialAnswer> {
    const body = `[${events.map(({ text }) => text).join(',')}]`;
    const query = { idempotencyKey: keyOf(number, body) };
    const answer = await api.send({ to: 'gateway', path: '/v1/event/multiInsert', query, body });
    if (isAnswer(answer)) return answer;
    throw new CommandFault('the gateway did not answer this request', { code: commandCodes.unavailable });
  }

  return send;
}

/** Any other answer comes from a proxy. It does not confirm that anything was stored. */
function isAnswer(answer: unknown): answer is PartialAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'accepted' in answer && Number.isInteger(answer.accepted)
  );
}

/** The same events of the same block have the same key, in every run. */
function keyOf(number: number, body: string): string {
  return `import-${createHash('sha256').update(`${number}\n${body}`).digest('hex').slice(0, 40)}`;
}
