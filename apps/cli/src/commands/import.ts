import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { PartialAnswer } from '@tickrate/contract';
import { CommandFault, commandCodes, wrongUse } from '../command-line/command.ts';
import { type Command, defineCommand } from '../command-line/define-command.ts';
import { choiceOption, listOption, textOption } from '../command-line/options.ts';
import {
  createImportReport,
  type ImportReport,
  type ImportTotals,
  type RejectionReason,
  reasonLines,
} from '../importing/import-report.ts';
import { createMapRecord, knownExports, type MapRecord } from '../importing/map-record.ts';
import { type NumberedRecord, readRecords } from '../importing/read-records.ts';

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
    const report = createImportReport();
    const sendBlock = async ({ number, body, places }: Block) => {
      if (number <= progress.blocks || places.length === 0) return;
      const answer = await api.send({
        to: 'gateway',
        path: '/v1/event/multiInsert',
        query: { idempotencyKey: keyOf(number, body) },
        body,
      });
      if (!isAnswer(answer))
        throw new CommandFault('the gateway did not answer this request', { code: commandCodes.unavailable });
      report.addAnswer(answer, places);
      progress.save(number);
    };
    let hasRecords = false;
    for await (const block of readBlocks(readRecords(format, path), { mapRecord, report })) {
      hasRecords = true;
      await sendBlock(block);
    }
    progress.end();
    const totals = { ...report.totals(), skippedBlocks: progress.blocks, reasons: report.reasons() };
    const code = totals.rejected === 0 && hasRecords ? commandCodes.done : commandCodes.refused;
    const unit = format === 'csv' ? 'row' : 'line';
    return { code, json: totals, lines: [...linesOf(totals, unit), ...nothingOf(totals, hasRecords)] };
  },
});

export const importCommands: readonly Command[] = [importEvents];

interface Block {
  readonly number: number;
  readonly body: string;
  /** The number of each record of the body. */
  readonly places: readonly number[];
}

interface Reading {
  readonly mapRecord: MapRecord;
  readonly report: ImportReport;
}

/** An invalid record keeps its place in its block. So a correction changes no other block and no other key. */
async function* readBlocks(
  records: AsyncIterable<NumberedRecord>,
  { mapRecord, report }: Reading,
): AsyncGenerator<Block> {
  let block = emptyBlock(1);
  for await (const { number: place, record, fault } of records) {
    const event = record === null ? fault : mapRecord(record);
    const text = typeof event === 'string' ? '' : JSON.stringify(event);
    if (block.records >= blockEvents || block.bytes + text.length > blockBytes) {
      yield { ...block, body: `[${block.texts.join(',')}]` };
      block = emptyBlock(block.number + 1);
    }
    block.records += 1;
    if (typeof event === 'string') report.addInvalid(place, event);
    else {
      block.texts.push(text);
      block.places.push(place);
      block.bytes += text.length;
    }
  }
  if (block.records > 0) yield { ...block, body: `[${block.texts.join(',')}]` };
}

function emptyBlock(number: number) {
  return { number, texts: [] as string[], places: [] as number[], records: 0, bytes: 0 };
}

interface Totals extends ImportTotals {
  readonly skippedBlocks: number;
  readonly reasons: readonly RejectionReason[];
}

/** Any other answer comes from a proxy. It does not confirm that anything was stored. */
function isAnswer(answer: unknown): answer is PartialAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'accepted' in answer && Number.isInteger(answer.accepted)
  );
}

function linesOf(totals: Totals, unit: 'line' | 'row'): string[] {
  const { accepted, rejected, limitedTimes, skippedBlocks, reasons } = totals;
  return [
    `${accepted} events accepted, ${rejected} rejected.`,
    ...(skippedBlocks > 0 ? [`Continued after ${skippedBlocks} blocks of an earlier run.`] : []),
    ...(limitedTimes > 0 ? [`${limitedTimes} times were limited to the last 30 days.`] : []),
    ...reasonLines(reasons, unit),
  ];
}

function nothingOf({ accepted, rejected, skippedBlocks }: Totals, hasRecords: boolean): string[] {
  if (!hasRecords) return ['Nothing was imported: the file has no records.'];
  if (accepted > 0 || rejected === 0 || skippedBlocks > 0) return [];
  return ['Nothing was imported: every record was rejected.'];
}

/** The same block of the same file has the same key, in every run. */
function keyOf(number: number, body: string): string {
  return `import-${createHash('sha256').update(`${number}\n${body}`).digest('hex').slice(0, 40)}`;
}

/**
 * Keeps the number of accepted blocks in a file next to the imported one. Its loss is harmless, because the gateway
 * recognises the key of every block.
 */
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
