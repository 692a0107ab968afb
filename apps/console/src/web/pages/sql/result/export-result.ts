import { writeCsv } from '../../../export/csv.ts';
import { cellOf, type Shape } from '../../../results/read-result.ts';

export const exportFormats = {
  csv: { label: 'CSV', type: 'text/csv' },
  tsv: { label: 'TSV', type: 'text/tab-separated-values' },
  json: { label: 'JSON', type: 'application/json' },
  ndjson: { label: 'NDJSON', type: 'application/x-ndjson' },
} as const;

export type ExportFormat = keyof typeof exportFormats;

/** A result as a file. In CSV and TSV no text becomes a formula of a spreadsheet. */
export function writeResult({ columns, rows }: Shape, format: ExportFormat): string {
  const heads = columns.map(({ name }) => name);
  if (format === 'csv') return writeCsv(heads, cellsOf({ columns, rows }));
  if (format === 'tsv') return writeTsv(heads, cellsOf({ columns, rows }));
  const objects = rows.map((row) =>
    Object.fromEntries(heads.map((name, index) => [name, row[index] ?? null])),
  );
  return format === 'json'
    ? `${JSON.stringify(objects, null, 1)}\n`
    : objects.map((each) => `${JSON.stringify(each)}\n`).join('');
}

function cellsOf({ columns, rows }: Shape) {
  return rows.map((row) => columns.map((column, index) => cellOf(row[index] ?? null, column)));
}

function writeTsv(heads: readonly string[], rows: ReturnType<typeof cellsOf>): string {
  return [heads, ...rows].map((cells) => `${cells.map(tsvCell).join('\t')}\n`).join('');
}

/** Tabs and line breaks are escaped as ClickHouse does it. */
function tsvCell(cell: string | number | boolean | null): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return safe
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
}
