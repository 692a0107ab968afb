import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { Panel } from '../../../components/panel.tsx';
import { type CsvCell, writeCsv } from '../../../export/csv.ts';
import { download } from '../../../export/download.ts';
import { pictureOf } from '../../../export/draw-element.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';

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
    if (picture !== null) download(`${name}.png`, picture);
  };
  const saveCsv = () => download(`${name}.csv`, new Blob([writeCsv(heads, rows)], { type: 'text/csv' }));
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
