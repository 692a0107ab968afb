import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { PartialAnswer } from '@tickrate/contract';
import { CommandFault, commandCodes, wrongUse } from '../command-line/command.ts';
import { type Command, defineCommand } from '../command-line/define-command.ts';
import { choiceOption, listOption, textOption } from '../command-line/options.ts';
import { createMapRecord, type ImportedEvent, knownExports } from '../importing/map-record.ts';
import { readRecords } from '../importing/read-records.ts';

const blockEvents = 1_000;
/** The limit of a request is 8 MiB. */
const blockBytes = 4 * 1024 * 1024;

const importEvents = defineCommand({
  words: 'import',
  operands: 'ndjson|csv FILE',
  summary: 'insert the records of a file as events; run it again to continue, which stores nothing twice',
  options: {
    type: textOption('TYPE', 'the event type of every record'),
    map: listOption(
      'MEMBER=COLUMN[:int]',
      'a member of the event, from a column or a path such as data.level',
    ),
    time: textOption('COLUMN', 'the column with the time of the event'),
    from: choiceOption(knownExports, 'the product whose export this is: its names, times and members'),
  },
  async run({ api, operands: [format = '', path = ''], options }) {
    if (format !== 'ndjson' && format !== 'csv')
      throw wrongUse(`import: expected ndjson or csv, got '${format}'`);
    const mapRecord = createMapRecord(options);
    const progress = openProgress(path, options);
    const totals = { accepted: 0, rejected: 0, limitedTimes: 0, skippedBlocks: progress.blocks };
    const reasons = new Map<string, number>();
    let block: string[] = [];
    let bytes = 0;
    let number = 0;
    const flush = async () => {
      if (block.length === 0) return;
      const body = `[${block.join(',')}]`;
      block = [];
      bytes = 0;
      if (number++ < progress.blocks) return;
      const idempotencyKey = keyOf(number, body);
      const answer = await api.send({
        to: 'gateway',
        path: '/v1/event/multiInsert',
        query: { idempotencyKey },
        body,
      });
      if (!isAnswer(answer))
        throw new CommandFault('the gateway did not answer this request', { code: commandCodes.unavailable });
      count(answer, totals, reasons);
      progress.save(number);
    };
    for await (const record of readRecords(format, path)) {
      const text = JSON.stringify(mapRecord(record) satisfies ImportedEvent);
      if (block.length >= blockEvents || bytes + text.length > blockBytes) await flush();
      block.push(text);
      bytes += text.length;
    }
    await flush();
    progress.end();
    const isWhole = totals.rejected === 0 && number > 0;
    const code = isWhole ? commandCodes.done : commandCodes.refused;
    return { code, json: totals, lines: [...linesOf(totals, reasons), ...nothingOf(totals, number)] };
  },
});

export const importCommands: readonly Command[] = [importEvents];

interface Totals {
  accepted: number;
  rejected: number;
  limitedTimes: number;
  readonly skippedBlocks: number;
}

/** Anything else comes from a proxy, which may have stored nothing. */
function isAnswer(answer: unknown): answer is PartialAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'accepted' in answer && Number.isInteger(answer.accepted)
  );
}

function count(answer: PartialAnswer, totals: Totals, reasons: Map<string, number>): void {
  totals.accepted += answer.accepted;
  totals.rejected += answer.rejected.length;
  for (const { count: limited } of answer.notices ?? []) totals.limitedTimes += limited;
  for (const { errors } of answer.rejected) {
    const [first] = errors;
    const reason = `${first?.location.replace(/^\/\d+/, '')}: ${first?.message}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
}

function linesOf(
  { accepted, rejected, limitedTimes, skippedBlocks }: Totals,
  reasons: Map<string, number>,
): string[] {
  const most = [...reasons].toSorted(([, a], [, b]) => b - a).slice(0, 10);
  return [
    `${accepted} events accepted, ${rejected} rejected.`,
    ...(skippedBlocks > 0 ? [`Continued after ${skippedBlocks} blocks of an earlier run.`] : []),
    ...(limitedTimes > 0 ? [`${limitedTimes} times were limited to the last 30 days.`] : []),
    ...most.map(([reason, times]) => `${String(times).padStart(7)}  ${reason}`),
  ];
}

function nothingOf({ accepted, rejected, skippedBlocks }: Totals, blocks: number): string[] {
  if (blocks === 0) return ['Nothing was imported: the file has no records.'];
  if (accepted > 0 || rejected === 0 || skippedBlocks > 0) return [];
  return ['Nothing was imported: every record was rejected.'];
}

/** The same block of the same file has the same key, in every run. */
function keyOf(number: number, body: string): string {
  return `import-${createHash('sha256').update(`${number}\n${body}`).digest('hex').slice(0, 40)}`;
}

/** How many blocks of a file were accepted, in a file next to it. Losing it is harmless: the keys recognise every block. */
function openProgress(path: string, options: object) {
  const place = `${path}.import-progress`;
  const { size, mtimeMs } = statOf(path);
  const of = createHash('sha256')
    .update(JSON.stringify([size, mtimeMs, options]))
    .digest('hex');
  return {
    blocks: readProgress(place, of),
    save(blocks: number) {
      writeFileSync(`${place}.tmp`, JSON.stringify({ of, blocks }));
      renameSync(`${place}.tmp`, place);
    },
    end: () => rmSync(place, { force: true }),
  };
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw wrongUse(`${path} cannot be read`, error);
  }
}

function readProgress(place: string, of: string): number {
  try {
    const saved = JSON.parse(readFileSync(place, 'utf8')) as { of?: unknown; blocks?: unknown };
    return saved.of === of && Number.isSafeInteger(saved.blocks) ? Number(saved.blocks) : 0;
  } catch {
    return 0;
  }
}
