import type { ReactNode } from 'react';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';

export interface HeatRow {
  readonly name: string;
  readonly detail: string;
  /** From 0 to 1; null where nothing can be known yet. */
  readonly cells: readonly (number | null)[];
  /** "Players behind this", by the position of a cell. */
  readonly onOpen: ((column: number) => void) | undefined;
  /** The position of a cell whose period is not over: it is marked. */
  readonly unfinished: number;
}

interface HeatMapProps {
  readonly label: string;
  /** Of the rows' names, of their details, and of each column of cells. */
  readonly heads: readonly [string, string, ...string[]];
  readonly rows: readonly HeatRow[];
  readonly write: (fraction: number) => string;
}

const steps = 8;
/** In pixels: of the names with their details, and of a cell that reads `100%`, with its gap. */
const widthOfNames = 164;
const leastCell = 36;
/** The names of the rows stay in sight while a narrow table scrolls. */
const named = 'sticky left-0 bg-panel text-left';
const headShapes = [`w-24 ${named}`, 'w-16 text-right'];
/** A tile that is lower than the table ends below a whole row: 24 px and their gap of 2. */
const wholeRows = { maxHeight: 'calc(round(down, 100% - 2px, 26px) + 2px)' };

/** A table whose cells are coloured by their fraction, such as retention by day. */
export function HeatMap({ label, heads, rows, write }: HeatMapProps): ReactNode {
  const texts = useTexts(commonTexts);
  return (
    <section tabIndex={0} aria-label={label} className="fading overflow-auto" style={wholeRows}>
      <table
        className="w-full table-fixed border-separate border-spacing-0.5 text-sm"
        style={{ minWidth: widthOfNames + (heads.length - 2) * leastCell }}
      >
        {rows.some(({ cells, unfinished }) => cells[unfinished] != null) && (
          <caption className="h-6 caption-bottom px-1 text-left text-soft">{texts.unfinishedCells}</caption>
        )}
        <thead className="sticky top-0 z-10 bg-panel text-soft">
          <tr className="h-6">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={`whitespace-nowrap px-1 font-normal ${headShapes[index] ?? 'text-center'}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, detail, cells, onOpen, unfinished }) => (
            <tr key={name} className="h-6">
              <th scope="row" className={`whitespace-nowrap px-1 font-normal ${named}`}>
                {name}
              </th>
              <td className="px-1 text-right text-soft">{detail}</td>
              {cells.map((fraction, column) => (
                <HeatCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its position
                  key={column}
                  fraction={fraction}
                  write={write}
                  isUnfinished={column === unfinished}
                  onOpen={onOpen && (() => onOpen(column))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeatCellProps {
  readonly fraction: number | null;
  readonly write: (fraction: number) => string;
  readonly isUnfinished: boolean;
  readonly onOpen: (() => void) | undefined;
}

function HeatCell({ fraction, write, isUnfinished, onOpen }: HeatCellProps): ReactNode {
  const texts = useTexts(commonTexts);
  if (fraction === null) return <td />;
  const step = Math.min(steps - 1, Math.floor(fraction * steps));
  const style = {
    background: `var(--heat-${step})`,
    color: `var(--heat-ink-${step < steps / 2 ? 'low' : 'high'})`,
  };
  return (
    <td
      className={`h-6 rounded-sm text-center ${isUnfinished ? 'italic outline-1 -outline-offset-1 outline-dashed outline-edge' : ''}`}
      style={style}
      {...(isUnfinished && { title: texts.unfinishedCell })}
    >
      {onOpen === undefined ? (
        write(fraction)
      ) : (
        <button type="button" className="w-full text-center" onClick={onOpen}>
          {write(fraction)}
        </button>
      )}
    </td>
  );
}
