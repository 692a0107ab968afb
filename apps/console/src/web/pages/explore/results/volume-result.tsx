import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useCall } from '../../../api/use-call.ts';
import { PageState } from '../../../components/states/page-state.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { OverTime } from './over-time.tsx';
import { partOf } from './part-of.ts';
import { PlayersDialog } from './players-dialog.tsx';

type Row = RowOf<'POST /v1/analyses/volume'>;

export function VolumeResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const { range, zone, times } = useTime();
  const [behind, setBehind] = useState<Row | null>(null);
  const { types, split, compare, by } = question;
  const per = perOf('volume', question.per);
  const where = completeOf(question.where);
  const asked = {
    per,
    by,
    timeZone: zone,
    compare,
    sql: true,
    types: types.length === 0 ? undefined : [...types],
    where,
    split: split === '' ? undefined : { member: split },
  } as const;
  const nameOf = useNameOf(split);
  const volume = useCall('POST /v1/analyses/volume', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['volume', range, asked]),
  });
  return (
    <PageState query={volume} isQuestion>
      {({ results, before, sql }) => (
        <>
          <VolumeChart
            per={per}
            results={results}
            before={before?.results}
            sql={sql}
            nameOf={nameOf}
            // The players behind a period are those of the events that happened in it.
            onPlayers={
              by === 'received'
                ? undefined
                : (series) => setBehind(results.find((row) => nameOf(row) === series) ?? null)
            }
          />
          {behind !== null && split === '' && (
            <PlayersDialog
              title={texts.behindTitle(behind.type)}
              call="POST /v1/analyses/volume/players"
              body={() => ({ ...times(), timeZone: zone, types: [behind.type], where })}
              onClose={() => setBehind(null)}
            />
          )}
          {behind !== null && split !== '' && (
            <PlayersDialog
              title={texts.behindTitle(nameOf(behind))}
              call="POST /v1/analyses/volume/players"
              body={() => ({
                ...times(),
                timeZone: zone,
                types: [behind.type],
                where,
                part: partOf(split, results, behind),
              })}
              onClose={() => setBehind(null)}
            />
          )}
        </>
      )}
    </PageState>
  );
}

/** The name of the series to which a row belongs. */
function useNameOf(split: string): (row: Row) => string {
  const texts = useTexts(exploreTexts);
  return useCallback(
    (row) => {
      if (split === '') return row.type;
      const value = row.isRest === true ? texts.rest : (row.split ?? texts.without);
      return `${row.type}: ${value}`;
    },
    [split, texts],
  );
}

interface VolumeChartProps {
  readonly per: ExploreSearch['per'];
  readonly results: readonly Row[];
  readonly before: readonly Row[] | undefined;
  readonly sql: string | undefined;
  readonly nameOf: (row: Row) => string;
  readonly onPlayers: ((series: string) => void) | undefined;
}

function VolumeChart({ per, results, before, sql, nameOf, onPlayers }: VolumeChartProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const points = useMemo(() => {
    const pointsOf = (rows: readonly Row[]) =>
      rows.map((row) => ({ at: row.at, series: nameOf(row), value: row.events }));
    return { now: pointsOf(results), before: before && pointsOf(before) };
  }, [results, before, nameOf]);
  return (
    <OverTime
      title={texts.volume}
      name="events"
      per={per}
      points={points.now}
      before={points.before}
      sql={sql}
      hasSums
      onPlayers={onPlayers}
    />
  );
}
