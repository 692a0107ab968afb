import { useKeptDraft } from '../../../drafts/use-kept-draft.ts';

export interface TypeDraft {
  /** The declaration as JSON. Both views of the editor edit this text. */
  readonly text: string;
  readonly description: string;
  /** Of a type that does not exist yet. */
  readonly name: string;
  /** The version that was edited; 0 for a new type. */
  readonly base: number;
}

/** The draft of a declaration until it is declared or discarded. `id` is the name of the type, empty for a new one. */
export function useTypeDraft(id: string, start: TypeDraft) {
  const [kept, keep] = useKeptDraft({ kind: 'declaration', id, parse: parseDraft });
  const draft = kept ?? start;
  return {
    draft,
    isChanged: draft.text !== start.text || draft.description !== start.description,
    change: (changed: Partial<TypeDraft>) => keep({ ...draft, ...changed }),
    discard: () => keep(null),
  };
}

function parseDraft(value: unknown): TypeDraft | null {
  if (typeof value !== 'object' || value === null) return null;
  const { text, description, name, base } = value as Partial<Record<keyof TypeDraft, unknown>>;
  if (typeof text !== 'string' || typeof description !== 'string') return null;
  if (typeof name !== 'string' || typeof base !== 'number') return null;
  return { text, description, name, base };
}
