import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAct, useCall, useProjectId } from '../../../api/use-call.ts';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { policyTexts } from './policy-texts.ts';
import {
  applyChanges,
  asObject,
  type Change,
  cleanValue,
  type Path,
  type PolicyName,
  type PolicyValue,
  valueAt,
} from './policy-values.ts';

export type Policy = ReturnType<typeof usePolicy>;

/**
 * A policy with the edits that are not saved yet. The edits survive errors and another part of the settings: they end
 * when they are saved or discarded.
 */
export function usePolicy(name: PolicyName) {
  const texts = useTexts(policyTexts);
  const [changes, setChanges] = useDraft(name);
  const policy = useCall('GET /v1/policies/{name}', { params: { name } });
  const save = useAct('PUT /v1/policies/{name}', { changes: ['GET /v1/policies/{name}'] });
  const stored = asObject(policy.data?.value);
  const value = applyChanges(stored, changes);
  return {
    query: policy,
    value,
    problem: save.error,
    isPending: save.isPending,
    isChanged: changes.length > 0,
    set(path: Path, to: unknown) {
      setChanges((before) => [...before.filter((change) => !isSame(change.path, path)), { path, to }]);
    },
    /** Removes an object, or brings it back with what was typed in it. */
    setSwitch(path: Path, isOn: boolean) {
      setChanges((before) => {
        const others = before.filter((change) => !isSame(change.path, path));
        if (!isOn) return [...others, { path, to: undefined }];
        return valueAt(applyChanges(stored, others), path) instanceof Object
          ? others
          : [...others, { path, to: {} }];
      });
    },
    discard() {
      setChanges(() => []);
      save.reset();
    },
    save() {
      if (policy.data === undefined) return;
      const { version } = policy.data;
      save.mutate(
        { params: { name }, body: { version, value: cleanValue(value) as PolicyValue } },
        {
          onSuccess: () => {
            // What was typed since then stays.
            setChanges((now) => now.filter((change) => !changes.includes(change)));
            showToast(texts.saved);
          },
          onError: ({ reason }) => {
            if (reason === 'objectChanged') void policy.refetch();
          },
        },
      );
    },
  };
}

function isSame(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

type Edit = (before: readonly Change[]) => readonly Change[];

/**
 * Kept in the memory of the page for another part of the settings, never stored: it can contain secrets. Signing out
 * clears it. The form has its own copy, because a field that is updated later than it was typed in loses letters.
 */
function useDraft(name: PolicyName): [readonly Change[], (edit: Edit) => void] {
  const client = useQueryClient();
  const projectId = useProjectId();
  const [changes, setChanges] = useState<readonly Change[]>(
    () => client.getQueryData(draftKey(projectId, name)) ?? [],
  );
  useEffect(() => {
    client.setQueryData(draftKey(projectId, name), changes);
  }, [client, projectId, name, changes]);
  return [changes, setChanges];
}

function draftKey(projectId: string, name: PolicyName): readonly string[] {
  return [projectId, 'draft of a policy', name];
}
