import { type ReactNode, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { Bars } from '../../../charts/bars.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';

export function BreakdownResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const { range, zone, times } = useTime();
  const [behind, setBehind] = useState<string | null | undefined>(undefined);
  const { type, member } = question;
  const where = completeOf(question.where);
  const asked = { type, member, where, mostValues: 50, timeZone: zone, sql: true } as const;
  const breakdown = useCall('POST /v1/analyses/breakdown', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['breakdown', range, asked]),
  });
  const nameOf = (value: string | null) => value ?? texts.without;
  return (
    <PageState
      query={breakdown}
      isQuestion
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
      {({ results, sql }) => (
        <>
          <AnswerPanel
            title={`${type} · ${member}`}
            sql={sql}
            name={`${type}-${member}`}
            heads={['value', 'events', 'players']}
            rows={results.map(({ value, events, players }) => [value, events, players])}
          >
            <Bars
              label={texts.breakdown}
              bars={results.map(({ value, events, players }) => ({
                name: nameOf(value),
                value: events,
                text: texts.eventsAndPlayers(formats.number(events), formats.number(players)),
              }))}
              onOpen={(name) => setBehind(results.find(({ value }) => nameOf(value) === name)?.value)}
            />
          </AnswerPanel>
          {behind !== undefined && (
            <PlayersDialog
              title={texts.behindTitle(`${member} = ${nameOf(behind)}`)}
              call="POST /v1/analyses/breakdown/players"
              body={() => ({ ...times(), timeZone: zone, type, member, where, value: behind })}
              onClose={() => setBehind(undefined)}
            />
          )}
        </>
      )}
    </PageState>
  );
}
