import { type ReactNode, useState } from 'react';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Icon } from '../../../look/icon.tsx';
import { usePreferences } from '../../../look/preferences.ts';
import { germanFor } from '../../../texts/define-texts.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import { type QuerySchema, quoteName } from '../statement/completion.ts';

interface SchemaBrowserProps {
  readonly tables: QuerySchema['tables'];
  readonly onInsert: (text: string) => void;
}

/** The tables of the project with their columns. A click on a column writes its name into the statement. */
export function SchemaBrowser({ tables, onInsert }: SchemaBrowserProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const sought = filter.trim().toLowerCase();
  const shown = tables.filter(
    ({ name, columns }) =>
      name.toLowerCase().includes(sought) ||
      columns.some((column) => column.name.toLowerCase().includes(sought)),
  );
  const toggle = (name: string) => setOpened((before) => before.symmetricDifference(new Set([name])));
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 px-3 pt-3">
      <div data-search="">
        <TextField
          label={texts.filterTables}
          isLabelHidden
          placeholder={texts.filterTables}
          value={filter}
          onChange={setFilter}
        />
      </div>
      {shown.length === 0 && <p className="text-soft">{texts.noTables}</p>}
      <ul className="-mx-3 min-h-0 flex-1 overflow-auto pb-2">
        {shown.map((table) => (
          <TableEntry
            key={table.name}
            table={table}
            sought={sought}
            isOpen={opened.has(table.name)}
            onToggle={() => toggle(table.name)}
            onInsert={onInsert}
          />
        ))}
      </ul>
    </div>
  );
}

interface TableEntryProps {
  readonly table: QuerySchema['tables'][number];
  readonly sought: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onInsert: (text: string) => void;
}

function TableEntry({ table, sought, isOpen, onToggle, onInsert }: TableEntryProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const german = germanFor(usePreferences().language);
  const { name, comment, columns } = table;
  const found = columns.filter((column) => sought !== '' && column.name.toLowerCase().includes(sought));
  const shown = isOpen ? columns : found;
  return (
    <li>
      <div className="flex items-center pr-2">
        <button
          type="button"
          aria-expanded={isOpen}
          title={german?.commentGerman(comment) ?? comment}
          className="flex h-7 min-w-0 flex-1 items-center gap-1 pl-2 text-left -outline-offset-2 hover:bg-raised"
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} className="text-soft" />
          <span className="foreign truncate font-mono text-sm">{name}</span>
        </button>
        <button
          type="button"
          aria-label={texts.insert(name)}
          className="flex h-6 w-6 items-center justify-center rounded-sm text-soft hover:bg-raised hover:text-ink"
          onClick={() => onInsert(quoteName(name))}
        >
          <Icon name="plus" />
        </button>
      </div>
      {shown.length > 0 && (
        <ul className="pb-1">
          {shown.map((column) => (
            <li key={column.name}>
              <button
                type="button"
                title={titleOf(column.type, german?.commentGerman(column.comment) ?? column.comment)}
                className="flex h-6 w-full min-w-0 items-center justify-between gap-2 pl-8 pr-3 text-left text-sm -outline-offset-2 hover:bg-raised"
                onClick={() => onInsert(quoteName(column.name))}
              >
                <span className="foreign truncate font-mono">{column.name}</span>
                <span className="max-w-24 shrink-0 truncate text-soft">{shortType(column.type)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function titleOf(type: string, comment: string): string {
  return comment === '' ? type : `${type}: ${comment}`;
}

/** Without what only says how it is stored. The whole type is in the title. */
function shortType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1];
  return inner === undefined ? type.replace(/\(.*$/s, '') : shortType(inner);
}
