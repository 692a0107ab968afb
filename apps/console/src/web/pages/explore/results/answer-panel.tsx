import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import type { AnswerOf } from '../../../api/call.ts';
import { useCall } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/panel.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { type CsvCell, writeCsv } from '../../../export/csv.ts';
import { download } from '../../../export/download.ts';
import { pictureOf } from '../../../export/draw-element.ts';
import { useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { analysisOf } from '../../dashboards/tiles/analysis-of.ts';
import type { AnalysisName, ExploreSearch } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';

type AnalysisCall<N extends AnalysisName> = `POST /v1/analyses/${N}` & `POST /v1/analyses/${AnalysisName}`;

/** The answer to a question over the time range of the page, with its SQL. */
export function useAnswer<N extends AnalysisName>(
  name: N,
  question: ExploreSearch,
  also: object = {},
): UseQueryResult<AnswerOf<AnalysisCall<N>>> {
  const { zone } = useTime();
  const asked = { ...analysisOf(question)?.parameters, ...also, timeZone: zone, sql: true };
  const answer = useCall(`POST /v1/analyses/${name}` as 'POST /v1/analyses/volume', (times) => ({
    body: { ...times, ...asked } as never,
  }));
  // `analysisOf` reads the parameters of the analysis from the question, and the server checks them.
  return answer as unknown as UseQueryResult<AnswerOf<AnalysisCall<N>>>;
}

interface AnswerStateProps<T> {
  readonly query: UseQueryResult<T>;
  readonly isEmpty?: (answer: T) => boolean;
  readonly children: (answer: T) => ReactNode;
}

/** The states of an answer. One that counts nothing says so. */
export function AnswerState<T>(props: AnswerStateProps<T>): ReactNode {
  const texts = useTexts(exploreTexts);
  const empty = <EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />;
  return <PageState isQuestion empty={empty} {...props} />;
}

/** Of a chart: more where the window is higher, with room for the table below it. */
export const chartHeight = 'clamp(260px, 100dvh - 540px, 600px)';

interface AnswerPanelProps {
  readonly title: string;
  readonly sql: string | undefined;
  /** The file name of exports, without its end. */
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
  /** Shows the players that all of the answer counts. */
  readonly onPlayers?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** An answer with what can be done with it: its SQL, and exports. */
export function AnswerPanel(props: AnswerPanelProps): ReactNode {
  const { title, sql, name, heads, rows, onPlayers, children } = props;
  const texts = useTexts(exploreTexts);
  const navigate = useNavigate({ from: '/p/$projectId/explore' });
  const openSql = (statement: string) =>
    void navigate({ to: '/p/$projectId/sql', search: (before) => ({ ...before, tab: '', sql: statement }) });
  const drawn = useRef<HTMLDivElement>(null);
  const savePicture = async () => {
    if (drawn.current === null) return;
    const ground = getComputedStyle(document.body).backgroundColor;
    const picture = await pictureOf(drawn.current, ground);
    if (picture !== null) download(`${name}.png`, picture, picture.type);
  };
  const saveCsv = () => download(`${name}.csv`, writeCsv(heads, rows), 'text/csv');
  return (
    <Panel
      title={title}
      actions={
        <>
          {onPlayers !== undefined && (
            <Button look="quiet" icon="users" needs="personal:read" onPress={onPlayers}>
              {texts.seePlayers}
            </Button>
          )}
          {sql !== undefined && (
            <Button look="quiet" icon="terminal" onPress={() => openSql(sql)}>
              {texts.openSql}
            </Button>
          )}
          <Button look="quiet" icon="download" onPress={saveCsv}>
            CSV
          </Button>
          <Button look="quiet" icon="download" onPress={() => void savePicture()}>
            PNG
          </Button>
        </>
      }
    >
      <div ref={drawn}>{children}</div>
    </Panel>
  );
}
