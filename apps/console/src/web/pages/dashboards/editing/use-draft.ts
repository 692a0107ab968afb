import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useMay } from '../../../components/states/permissions.tsx';
import { useKeptDraft } from '../../../drafts/use-kept-draft.ts';
import { useChangeSearch } from '../../../layout/use-change-search.ts';
import type { Content, DashboardRow } from '../use-dashboards.ts';

export interface Draft {
  readonly name: string;
  readonly content: Content;
  /** Of the saved dashboard that it began with. */
  readonly version: string;
}

/**
 * The dashboard that is edited; null while it is only read. The address decides: leaving the page leaves the editor. Unsaved
 * changes are kept in this tab, and editing continues with them. The browser asks before the tab is closed.
 */
export function useDraft({ id, name, content, version }: DashboardRow) {
  const [kept, keep] = useKeptDraft({ kind: 'dashboard', id, parse: (value) => value as Draft | null });
  const { edit } = useSearch({ from: '/p/$projectId/dashboards/$id' });
  const changeSearch = useChangeSearch();
  const may = useMay();
  const setEditing = (isEditing: boolean) => changeSearch({ edit: isEditing || undefined });
  const draft = kept ?? { name, content, version };
  const hasChanges = kept !== null && may('queries:write');
  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  return {
    hasChanges,
    draft: edit === true && may('queries:write') ? draft : null,
    begin: () => setEditing(true),
    change: (changed: Partial<Draft>) => keep({ ...draft, ...changed }),
    end: () => {
      keep(null);
      setEditing(false);
    },
  };
}
