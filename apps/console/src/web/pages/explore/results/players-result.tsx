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

type Row = RowOf<'POST /v1/analyses/players'>;

export function PlayersResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const { range, zone, times } = useTime();
  const [isListed, setIsListed] = useState(false);
  const [behind, setBehind] = useState<Row | null>(null);
  const { types, split, compare } = question;
  const nameOf = useNameOf(split);
  const per = perOf('players', question.per);
  const asked = {
    per: per === 'hour' ? 'day' : per,
    timeZone: zone,
    compare,
    sql: true,
    types: types.length === 0 ? undefined : [...types],
    where: completeOf(question.where),
    split: split === '' ? undefined : { member: split },
  } as const;
  const players = useCall('POST /v1/analyses/players', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['players', range, asked]),
  });
  return (
    <PageState query={players} isQuestion>
      {({ results, before, sql }) => (
        <>
          <PlayersChart
            per={per}
            results={results}
            before={before?.results}
            sql={sql}
            nameOf={nameOf}
            onAllPlayers={() => setIsListed(true)}
            {...(split !== '' && {
              onPlayers: (series: string) => setBehind(results.find((row) => nameOf(row) === series) ?? null),
            })}
          />
          {behind !== null && (
            <PlayersDialog
              title={texts.behindTitle(nameOf(behind))}
              call="POST /v1/analyses/volume/players"
              body={() => ({
                ...times(),
                timeZone: zone,
                types: asked.types ?? [],
                where: asked.where,
                part: partOf(split, results, behind),
              })}
              onClose={() => setBehind(null)}
            />
          )}
          {isListed && (
            <PlayersDialog
              title={texts.behindTitle(texts.players)}
              call="POST /v1/analyses/volume/players"
              body={() => ({ ...times(), timeZone: zone, types: asked.types ?? [], where: asked.where })}
              onClose={() => setIsListed(false)}
            />
          )}
        </>
      )}
    </PageState>
  );
}

interface PlayersChartProps {
  readonly per: ExploreSearch['per'];
  readonly results: readonly Row[];
  readonly before: readonly Row[] | undefined;
  readonly sql: string | undefined;
  readonly nameOf: (row: Row) => string;
  readonly onAllPlayers: () => void;
  readonly onPlayers?: (series: string) => void;
}

/** The name of the series to which a row belongs. */
function useNameOf(split: string): (row: Row) => string {
  const texts = useTexts(exploreTexts);
  return useCallback(
    (row) => {
      if (split === '') return texts.players;
      return row.isRest === true ? texts.rest : (row.split ?? texts.without);
    },
    [split, texts],
  );
}

function PlayersChart(props: PlayersChartProps): ReactNode {
  const { per, results, before, sql, nameOf, onAllPlayers, onPlayers } = props;
  const texts = useTexts(exploreTexts);
  const points = useMemo(() => {
    const pointsOf = (rows: readonly Row[]) =>
      rows.map((row) => ({ at: row.at, series: nameOf(row), value: row.players }));
    return { now: pointsOf(results), before: before && pointsOf(before) };
  }, [results, before, nameOf]);
  return (
    <OverTime
      title={texts.players}
      name="players"
      per={per}
      points={points.now}
      before={points.before}
      sql={sql}
      hasSums={false}
      onAllPlayers={onAllPlayers}
      {...(onPlayers && { onPlayers })}
    />
  );
}
