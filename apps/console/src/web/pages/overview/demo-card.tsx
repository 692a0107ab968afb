import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { projectsQuery } from '../../api/session.ts';
import { useAct, useCall, useProjectId } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { demoTexts } from './demo-texts.ts';

const offeredPollMs = 1_000;
const pollMs = 3_000;

type DemoAnswer = AnswerOf<'GET /v1/demo'>;

interface DemoCardProps {
  /** Whether a demo of another project is shown too, or offered. */
  readonly isOffered?: boolean;
}

/** The simulated game: offered, on its way, or in its project the tour through it. Nothing where it cannot run. */
export function DemoCard({ isOffered = false }: DemoCardProps): ReactNode {
  const texts = useTexts(demoTexts);
  const projectId = useProjectId();
  const may = useMay();
  const demo = useCall('GET /v1/demo', undefined, {
    enabled: may('projects:read'),
    everyMs: isOffered ? offeredPollMs : pollMs,
  });
  const { data } = demo;
  if (data === undefined || data.state === 'notOffered') return null;
  const isHere = data.projectId === projectId;
  if (!isHere && !(isOffered && (data.projectId !== null || data.isAllowed))) return null;
  return (
    <Panel title={isHere ? texts.hereTitle : texts.title}>
      <div className="flex flex-col gap-3">
        <Progress demo={data} />
        {isHere ? <Tour demo={data} /> : <Offer demo={data} />}
      </div>
    </Panel>
  );
}

function Progress({ demo }: { readonly demo: DemoAnswer }): ReactNode {
  const texts = useTexts(demoTexts);
  const formats = useFormats();
  const { state, sentEvents, expectedEvents } = demo;
  if (state !== 'arriving' || demo.projectId === null) return null;
  return (
    <div className="flex flex-col gap-1">
      <progress
        aria-label={texts.arrivingLabel}
        max={expectedEvents}
        value={sentEvents}
        className="h-1.5 w-full"
      />
      <span className="text-sm text-soft">
        {texts.arriving(formats.number(sentEvents), formats.number(expectedEvents))}
      </span>
    </div>
  );
}

function Offer({ demo }: { readonly demo: DemoAnswer }): ReactNode {
  const texts = useTexts(demoTexts);
  const client = useQueryClient();
  const start = useAct('POST /v1/demo', {
    changes: ['GET /v1/demo'],
    onDone: () => void client.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
  const { projectId, isAllowed } = demo;
  return (
    <>
      <p className="text-soft">{texts.text}</p>
      <div className="flex flex-wrap items-center gap-2">
        {isAllowed && projectId === null && (
          <Button icon="play" isDisabled={start.isPending} onPress={() => start.mutate(undefined)}>
            {texts.start}
          </Button>
        )}
        {projectId !== null && (
          <Link
            to="/p/$projectId/overview"
            params={{ projectId }}
            className="font-medium text-accent underline"
          >
            {texts.open}
          </Link>
        )}
      </div>
      <ProblemNote problem={start.error} />
    </>
  );
}

function Tour({ demo: { tour, isAllowed } }: { readonly demo: DemoAnswer }): ReactNode {
  const texts = useTexts(demoTexts);
  const mayMend = useMay()('quarantine:read');
  const permitted = tour.filter(({ path }) => mayMend || !path.includes('/quarantine'));
  const remove = useAct('DELETE /v1/demo', {
    movesSession: true,
    // The project is gone with everything in it: the address of the console leads to the one of the session.
    onDone: () => location.assign('/'),
  });
  return (
    <>
      <ol className="flex flex-col gap-2">
        {permitted.map(({ id, title, text, path }) => (
          <li key={id}>
            <a href={path} className="font-medium text-accent underline">
              {isKnownStop(id) ? texts[id] : title}
            </a>
            <p className="text-sm text-soft">{isKnownStop(id) ? texts[`${id}Text`] : text}</p>
          </li>
        ))}
      </ol>
      {isAllowed && (
        <Button
          icon="trash"
          className="self-start"
          isDisabled={remove.isPending}
          onPress={() => remove.mutate(undefined)}
        >
          {remove.isPending ? texts.removing : texts.remove}
        </Button>
      )}
      <ProblemNote problem={remove.error} />
    </>
  );
}

const knownStops = ['overview', 'live', 'newPlayers', 'stability', 'quarantine'] as const;

function isKnownStop(id: string): id is (typeof knownStops)[number] {
  return knownStops.some((known) => known === id);
}
