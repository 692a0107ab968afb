import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { PageState } from '../../../components/states/page-state.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { OverTime } from './over-time.tsx';
import { PlayersDialog } from './players-dialog.tsx';

interface ResultProps {
  readonly question: ExploreSearch;
}

export function VolumeResult({ question }: ResultProps): ReactNode {
  const { range, zone, times } = useTime();
  const asked = { ...askedOf(question, zone), per: perOf('volume', question.per), by: question.by };
  const volume = useCall('POST /v1/analyses/volume', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['volume', range, asked]),
  });
  return (
    <PageState query={volume} isQuestion>
      {(answer) => <Counts question={question} {...answer} />}
    </PageState>
  );
}

export function PlayersResult({ question }: ResultProps): ReactNode {
  const { range, zone, times } = useTime();
  const per = perOf('players', question.per);
  const asked = { ...askedOf(question, zone), per: per === 'hour' ? 'day' : per } as const;
  const players = useCall('POST /v1/analyses/players', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['players', range, asked]),
  });
  return (
    <PageState query={players} isQuestion>
      {(answer) => <Counts question={question} {...answer} />}
    </PageState>
  );
}

function askedOf({ types, split, compare, where }: ExploreSearch, timeZone: string) {
  return {
    timeZone,
    compare,
    sql: true,
    types: types.length === 0 ? undefined : [...types],
    where: completeOf(where),
    split: split === '' ? undefined : { member: split },
  };
}

/** A row of events has their type and their count. */
interface CountRow extends SplitRow {
  readonly at: string;
  readonly type?: string;
  readonly events?: number;
  readonly players?: number;
}

interface CountsProps extends ResultProps {
  readonly results: readonly CountRow[];
  readonly before?: { readonly results: readonly CountRow[] } | undefined;
  readonly sql?: string | undefined;
}

function Counts({ question, results, before, sql }: CountsProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const { zone, times } = useTime();
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
          title={texts.behindTitle(behind === 'all' ? texts.players : nameOf(behind))}
          call="POST /v1/analyses/volume/players"
          body={() => ({
            ...times(),
            timeZone: zone,
            types: behind === 'all' || behind.type === undefined ? [...types] : [behind.type],
            where: completeOf(question.where),
            ...(behind !== 'all' && split !== '' && { part: partOf(split, results, behind) }),
          })}
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
