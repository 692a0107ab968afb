import type { ReactNode } from 'react';
import type { BodyOf, RowOf } from '../../api/call.ts';
import { TextField } from '../../components/fields/text-field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { ScopeFields } from './roles/scope-fields.tsx';
import { settingsTexts } from './settings-texts.ts';

/** What can be edited of a key. */
export interface KeyDraft {
  readonly comment: string;
  readonly scopes: readonly string[];
  /** One a line. */
  readonly origins: string;
}

export const emptyKey: KeyDraft = { comment: '', scopes: [], origins: '' };

type Scope = NonNullable<BodyOf<'POST /v1/keys'>['scopes']>[number];

/** As the calls take it: a public key has no scopes, and one without origins works from everywhere. */
export function bodyOf({ comment, scopes, origins }: KeyDraft, kind: string) {
  const lines = origins.split(/\s+/).filter(Boolean);
  return {
    comment,
    origins: lines.length === 0 ? null : lines,
    ...(kind === 'administrative' && { scopes: [...scopes] as Scope[] }),
  };
}

/** How a list shows a key. A key and its successor can have the same beginning. */
export function nameOfKey({ prefix, ending }: Pick<RowOf<'GET /v1/keys'>, 'prefix' | 'ending'>): string {
  return `${prefix}…${ending}`;
}

interface KeyFieldsProps {
  /** `bi` for a key that can only query: it has no web origins, and its scopes are not chosen here. */
  readonly kind: string;
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
}

export function KeyFields({ kind, draft, onChange }: KeyFieldsProps): ReactNode {
  const texts = useTexts(settingsTexts);
  return (
    <>
      <TextField
        label={texts.comment}
        help={texts.commentHelp}
        value={draft.comment}
        onChange={(comment) => onChange({ ...draft, comment })}
        autoFocus
      />
      {kind !== 'bi' && (
        <TextField
          label={texts.origins}
          help={texts.originsHelp}
          value={draft.origins}
          onChange={(origins) => onChange({ ...draft, origins })}
          rows={2}
          isMonospace
        />
      )}
      {kind === 'administrative' && (
        <ScopeFields scopes={draft.scopes} onChange={(scopes) => onChange({ ...draft, scopes })} />
      )}
    </>
  );
}
