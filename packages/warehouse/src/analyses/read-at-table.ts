import { quoteString } from '../quote.ts';
import { envelopeColumns } from '../table/envelope-columns.ts';
import { eventsTable, type WarehousePlace } from '../table/events-table.ts';
import { memberPattern } from './analysis-sql.ts';

const names = ['type', ...envelopeColumns.map(({ name }) => name), 'data'];

/**
 * The same query over the table instead of the view `events`, for SQL of this package only. ClickHouse reads the
 * subcolumn of a member only where the table is named: through the view it reads all members of each event.
 */
export function readAtTable(sql: string, { place, projectId }: { place: WarehousePlace; projectId: string }) {
  const aliases = new Map<string, string>();
  const read = sql.replace(memberPattern, (expression) => {
    const alias = aliases.get(expression) ?? `member_${aliases.size + 1}`;
    aliases.set(expression, alias);
    return alias;
  });
  const members = [...aliases].map(
    ([expression, alias]) => `${expression.replace('CAST(data.', 'CAST(e.data.')} AS ${alias}`,
  );
  return `WITH events AS
(
  SELECT ${[...names.map((name) => `e.${name} AS ${name}`), ...members].join(', ')}
  FROM ${eventsTable(place)} AS e
  WHERE e.project = ${quoteString(projectId)}
)
${read}`;
}
