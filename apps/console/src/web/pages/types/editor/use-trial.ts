import { useEffect, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';

const settledMs = 300;

/** The value once it has not changed for a moment, so that the server is asked when typing pauses. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What the server would answer to this declaration. */
export function useTrial(name: string, declaration: Readonly<Record<string, unknown>> | null) {
  const [settledName, settled] = [useSettled(name), useSettled(declaration)];
  return useCall(
    'POST /v1/event-types/{name}/versions',
    { params: { name: settledName }, body: { declaration: settled ?? {}, dryRun: true } },
    { enabled: settledName !== '' && settled !== null },
  );
}
