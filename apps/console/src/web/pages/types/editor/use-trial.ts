import { useCall, useSettled } from '../../../api/use-call.ts';

/** What the server would answer to this declaration. */
export function useTrial(name: string, declaration: Readonly<Record<string, unknown>> | null) {
  const [settledName, settled] = [useSettled(name), useSettled(declaration)];
  return useCall(
    'POST /v1/event-types/{name}/versions',
    { params: { name: settledName }, body: { declaration: settled ?? {}, dryRun: true } },
    { enabled: settledName !== '' && settled !== null },
  );
}
