import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';

// Few visits are to an empty project.
const FirstEventSteps = lazy(async () => ({ default: (await import('./first-event.tsx')).FirstEventSteps }));

/**
 * How far a project is that had no event when the page opened: it looks until there is one. The steps stay on the page
 * then, as nothing else shows their key.
 */
export function useFirstEvent(): { readonly isEmpty: boolean; readonly steps: ReactNode } {
  const [wasEmpty, setWasEmpty] = useState(false);
  const overview = useCall(
    'GET /v1/overview',
    { query: { hours: 1 } },
    { everyMs: (answer) => (answer?.events.accepted === 0 ? 1000 : undefined) },
  );
  const isEmpty = overview.data?.events.accepted === 0;
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  const steps = wasEmpty && (
    <Suspense fallback={null}>
      <FirstEventSteps hasArrived={!isEmpty} />
    </Suspense>
  );
  return { isEmpty, steps };
}
