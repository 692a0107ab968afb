import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { commandCodes, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
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
import { type Block, createSendBlock } from '../importing/send-block.ts';

const blockEvents = 1_000;
/** The limit of a request is 8 MiB. */
const blockBytes = 4 * 1024 * 1024;

export const importCommand = defineCommand({
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
  async run({ api, operands: [format = '', path = ''], options, signal }) {
    if (format !== 'ndjson' && format !== 'csv')
      throw wrongUse(`import: expected ndjson or csv, got '${format}'`);
    const mapRecord = createMapRecord(options);
    const progress = openProgress(path, options);
    if (progress.hasGrown)
      throw wrongUse(
        `${path} has grown since it was imported. Import the new records from a file of their own, or delete ${progress.place} to import all of it again`,
      );
    const report = createImportReport();
    const sendBlock = createSendBlock({ api, signal }, report);
    let hasRecords = false;
    for await (const block of readBlocks(readRecords(format, path), mapRecord, report)) {
      hasRecords = true;
      if (block.number <= progress.blocks || block.events.length === 0) continue;
      await sendBlock(block);
      progress.save(block.number);
    }
    progress.end();
    const totals = { ...report.totals(), skippedBlocks: progress.blocks, reasons: report.reasons() };
    const code = totals.rejected === 0 && hasRecords ? commandCodes.done : commandCodes.refused;
    const unit = format === 'csv' ? 'row' : 'line';
    return { code, json: totals, lines: [...linesOf(totals, unit), ...nothingOf(totals, hasRecords)] };
  },
});

/** An invalid record keeps its place in its block. So a correction changes no other block and no other key. */
async function* readBlocks(
  records: AsyncIterable<NumberedRecord>,
  mapRecord: MapRecord,
  report: ImportReport,
): AsyncGenerator<Block> {
  let block = emptyBlock(1);
  for await (const { number: place, record, fault } of records) {
    const event = record === null ? fault : mapRecord(record);
    const text = typeof event === 'string' ? '' : JSON.stringify(event);
    if (block.records >= blockEvents || block.bytes + text.length > blockBytes) {
      yield block;
      block = emptyBlock(block.number + 1);
    }
    block.records += 1;
    if (typeof event === 'string') report.addInvalid(place, event);
    else {
      block.events.push({ type: event.eventType, place, text });
      block.bytes += text.length;
    }
  }
  if (block.records > 0) yield block;
}

function emptyBlock(number: number) {
  return { number, events: [] as Block['events'][number][], records: 0, bytes: 0 };
}

interface Totals extends ImportTotals {
  readonly skippedBlocks: number;
  readonly reasons: readonly RejectionReason[];
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

/**
 * Keeps the number of accepted blocks in a file next to the imported one. Its loss is harmless while that file stays as it is,
 * because the gateway recognises the key of every block. In a file that has grown, the last block has other events and another key.
 */
function openProgress(path: string, options: object) {
  const place = `${path}.import-progress`;
  const { size, mtimeMs } = statOf(path);
  const of = hashOf([size, mtimeMs, options]);
  const how = hashOf(options);
  const saved = readProgress(place);
  const write = (blocks: number) => {
    writeFileSync(`${place}.tmp`, JSON.stringify({ of, how, size, blocks }));
    renameSync(`${place}.tmp`, place);
  };
  return {
    place,
    blocks: saved?.of === of ? saved.blocks : 0,
    hasGrown: saved?.how === how && size > saved.size,
    save: write,
    end: () => write(0),
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw wrongUse(`${path} cannot be read`, error);
  }
}

interface Progress {
  readonly of: unknown;
  readonly how: unknown;
  readonly size: number;
  readonly blocks: number;
}

function readProgress(place: string): Progress | null {
  try {
    const { of, how, size, blocks } = JSON.parse(readFileSync(place, 'utf8'));
    return { of, how, size: Number(size), blocks: Number.isSafeInteger(blocks) ? blocks : 0 };
  } catch {
    return null;
  }
}
