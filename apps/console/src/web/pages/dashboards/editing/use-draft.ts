import { useKeptDraft } from '../../../drafts/use-kept-draft.ts';
import type { Content, DashboardRow } from '../range-of-dashboard.ts';

/** A dashboard as it is being edited. */
export interface Draft {
  readonly name: string;
  readonly content: Content;
  /** Of the saved dashboard that it began with. */
  readonly version: string;
}

/** The unsaved changes of a dashboard; null without any. */
export function useDraft({ id, name, content, version }: DashboardRow) {
  const [draft, keep] = useKeptDraft({ kind: 'dashboard', id, parse: (value) => value as Draft | null });
  return {
    draft,
    begin: () => keep({ name, content, version }),
    change: (changed: Partial<Draft>) => draft !== null && keep({ ...draft, ...changed }),
    end: () => keep(null),
  };
}
