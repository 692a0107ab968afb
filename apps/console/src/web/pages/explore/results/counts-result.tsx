import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerState, useAnswer } from './answer-panel.tsx';
import { OverTime } from './over-time.tsx';
import { PlayersDialog } from './players-dialog.tsx';

interface CountsResultProps {
  readonly analysis: 'volume' | 'players';
  readonly question: ExploreSearch;
}

export function CountsResult({ analysis, question }: CountsResultProps): ReactNode {
  const counted = useAnswer(analysis, question, { compare: question.compare });
  return <AnswerState query={counted}>{(answer) => <Counts question={question} {...answer} />}</AnswerState>;
}

/** A row of events has their type and their count. */
interface CountRow extends SplitRow {
  readonly at: string;
  readonly type?: string;
  readonly events?: number;
  readonly players?: number;
}

interface CountsProps extends Pick<CountsResultProps, 'question'> {
  readonly results: readonly CountRow[];
  readonly before?: { readonly results: readonly CountRow[] } | undefined;
  readonly sql?: string | undefined;
}

function Counts({ question, results, before, sql }: CountsProps): ReactNode {
  const texts = useTexts(exploreTexts);
  /** The players behind a series, or behind all of them. */
  const [behind, setBehind] = useState<CountRow | 'all' | null>(null);
  const { types, split, by, per } = question;
  const name = question.analysis === 'volume' ? 'events' : 'players';
  const hasSums = name === 'events';
  const nameOf = useCallback(
    (row: CountRow) => {
      const value = row.isRest === true ? texts.rest : (row.split ?? texts.without);
      if (row.type === undefined) return split === '' ? texts.players : value;
      return split === '' ? row.type : `${row.type}: ${value}`;
    },
    [split, texts],
  );
  const points = useMemo(() => {
    const pointsOf = (rows: readonly CountRow[]) =>
      rows.map((row) => ({ at: row.at, series: nameOf(row), value: row.events ?? row.players ?? 0 }));
    return { now: pointsOf(results), before: before && pointsOf(before.results) };
  }, [results, before, nameOf]);
  // The players behind a period are those of the events that happened in it.
  const isListed = hasSums ? by !== 'received' : split !== '';
  return (
    <>
      <OverTime
        title={hasSums ? texts.volume : texts.players}
        name={name}
        per={perOf(question.analysis, per)}
        points={points.now}
        before={points.before}
        sql={sql}
        hasSums={hasSums}
        onAllPlayers={hasSums ? undefined : () => setBehind('all')}
        onPlayers={
          isListed ? (series) => setBehind(results.find((row) => nameOf(row) === series) ?? null) : undefined
        }
      />
      {behind !== null && (
        <PlayersDialog
          of={behind === 'all' ? texts.players : nameOf(behind)}
          call="POST /v1/analyses/volume/players"
          asked={{
            types: behind === 'all' || behind.type === undefined ? [...types] : [behind.type],
            where: completeOf(question.where),
            ...(behind !== 'all' && split !== '' && { part: partOf(split, results, behind) }),
          }}
          onClose={() => setBehind(null)}
        />
      )}
    </>
  );
}

export interface SplitRow {
  readonly split?: string | null;
  readonly isRest?: boolean;
}

/** The events that a row of a split counts. The rest are those with none of the values of the other rows. */
export function partOf(member: string, rows: readonly SplitRow[], row: SplitRow) {
  if (row.isRest !== true) return { member, values: [row.split ?? null], isRest: false };
  const values = rows.flatMap(({ split, isRest }) => (isRest === true ? [] : [split ?? null]));
  return { member, values: [...new Set(values)], isRest: true };
}
