import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useCall } from '../../api/use-call.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { useMay } from '../../components/states/permissions.tsx';
import { demoTexts } from '../../pages/overview/demo-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { pageAt } from '../page-list.ts';
import { useFormats } from '../use-time.ts';

const pollMs = 1_000;

/**
 * A line over the pages of the demo while its past events arrive: until then, figures of earlier days are too small. The pages
 * load again when all are there. Overview has its own.
 */
export function DemoNote(): ReactNode {
  const texts = useTexts(demoTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const client = useQueryClient();
  const isOverview = pageAt(useLocation().pathname) === 'overview';
  const enabled = useMay()('projects:read');
  const [wasArriving, setWasArriving] = useState(false);
  const { data } = useCall(
    'GET /v1/demo',
    undefined,
    wasArriving ? { enabled, everyMs: pollMs } : { enabled },
  );
  const isArriving = data?.state === 'arriving' && data.projectId === projectId;
  useEffect(() => {
    setWasArriving(isArriving);
    if (wasArriving && !isArriving) void client.invalidateQueries();
  }, [client, wasArriving, isArriving]);
  if (!isArriving || isOverview) return null;
  const { sentEvents, expectedEvents } = data;
  return (
    <div className="no-print flex items-center gap-3 border-b bg-panel px-4 py-1 text-soft">
      <progress
        aria-label={texts.arrivingLabel}
        max={expectedEvents}
        value={sentEvents}
        className="h-1.5 w-40 shrink-0 accent-accent"
      />
      {texts.arriving(formats.number(sentEvents), formats.number(expectedEvents))}
    </div>
  );
}
