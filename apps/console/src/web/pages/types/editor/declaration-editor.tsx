import { type ReactNode, useMemo, useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { Problem } from '../../../api/problem.ts';
import { useAct } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Panel } from '../../../components/panel.tsx';
import { ProblemNote } from '../../../components/states/page-state.tsx';
import { useKeptDraft } from '../../../drafts/use-kept-draft.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { breaks, Difference } from '../change-list.tsx';
import { typesTexts } from '../types-texts.ts';
import { MemberList } from './member-list.tsx';
import { parseDeclaration } from './parse-declaration.ts';
import { TryDraft } from './try-draft.tsx';
import { useTrial } from './use-trial.ts';

interface DeclarationEditorProps {
  /** Null for a new type, whose name is a field then. */
  readonly name: string | null;
  readonly declaration: object;
  readonly description: string | null;
  /** The newest version; 0 for a new type. */
  readonly version: number;
  readonly onDone: (name: string) => void;
}

/** One declaration as a form and as JSON. The server tries it while it is typed. */
export function DeclarationEditor(props: DeclarationEditorProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [view, setView] = useState<'form' | 'json'>('form');
  const { draft, isChanged, change, discard } = useTypeDraft(props.name ?? '', {
    text: JSON.stringify(props.declaration, null, 2),
    description: props.description ?? '',
    name: '',
    base: props.version,
  });
  const name = props.name ?? draft.name.trim();
  const parsed = useMemo(() => parseDeclaration(draft.text), [draft.text]);
  const trial = useTrial(name, parsed.declaration);
  const { faults, nameFault } = readRefusal(trial.error);
  const isBreaking = breaks(trial.data?.changes ?? []);
  const declare = useAct('POST /v1/event-types/{name}/versions', {
    changes: ['GET /v1/event-types', 'GET /v1/event-types/{name}', 'GET /v1/event-types/{name}/code'],
    onDone: ({ version }) => {
      discard();
      showToast(texts.declared(String(version)));
      props.onDone(name);
    },
  });
  const declared = declare.variables?.body?.declaration;
  const submit = () => {
    if (parsed.declaration === null) return;
    const description = draft.description === '' ? null : draft.description;
    // Another version may have been declared meanwhile: only a break that is shown here is declared.
    const body = { declaration: parsed.declaration, description, compatibleOnly: !isBreaking };
    declare.mutate({ params: { name }, body });
  };
  return (
    <form
      className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_320px]"
      onSubmit={(event) => {
        event.preventDefault();
        // A field whose text the document cannot contain: the document still has the text before it.
        const wrong = event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]');
        if (wrong === null) submit();
        else wrong.focus();
      }}
    >
      <Panel title={texts.declaration} actions={<ViewSwitch view={view} onChange={setView} />}>
        <div className="flex flex-col gap-3">
          <Heads name={props.name} draft={draft} nameFault={nameFault} onChange={change} />
          {view === 'json' ? (
            <TextField
              label={texts.json}
              value={draft.text}
              onChange={(text) => change({ text })}
              rows={24}
              isMonospace
              error={parsed.fault === null ? null : texts.notJson(parsed.fault)}
            />
          ) : (
            <Form parsed={parsed} faults={faults} onChange={(text) => change({ text })} />
          )}
        </div>
      </Panel>
      <Panel title={texts.check} className="lg:sticky lg:top-14">
        <div className="flex flex-col gap-3">
          {draft.base !== props.version && (
            <p className="text-bad">{texts.overtaken(String(props.version))}</p>
          )}
          <Verdict
            trial={trial}
            isNamed={name !== '' && nameFault === null}
            isRead={parsed.declaration !== null}
          />
          {name !== '' && <TryDraft name={name} declaration={parsed.declaration} />}
          {declared === parsed.declaration && trial.error === null && declare.error !== null && (
            <ProblemNote problem={declare.error} />
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              look="primary"
              needs="eventTypes:write"
              isDisabled={name === '' || parsed.declaration === null || declare.isPending}
            >
              {isBreaking ? texts.declareBreaking : texts.declare}
            </Button>
            {(isChanged || draft.name !== '') && (
              <Button look="quiet" onPress={discard}>
                {texts.discard}
              </Button>
            )}
          </div>
        </div>
      </Panel>
    </form>
  );
}

function readRefusal(error: unknown) {
  const refusal = error instanceof Problem ? error : null;
  return {
    faults: refusal?.faults ?? [],
    nameFault: refusal?.parameterName === 'name' ? refusal.fields : null,
  };
}

function ViewSwitch({
  view,
  onChange,
}: {
  readonly view: 'form' | 'json';
  readonly onChange: (view: 'form' | 'json') => void;
}): ReactNode {
  const texts = useTexts(typesTexts);
  return (
    <ToggleButtonGroup
      aria-label={texts.view}
      disallowEmptySelection
      selectedKeys={[view]}
      onSelectionChange={(keys) => onChange(keys.has('json') ? 'json' : 'form')}
      className="flex overflow-hidden rounded-md border border-edge"
    >
      {(['form', 'json'] as const).map((id) => (
        <ToggleButton
          key={id}
          id={id}
          className="h-7 px-3 font-medium text-soft data-hovered:bg-raised data-selected:bg-raised data-selected:text-ink"
        >
          {texts[id]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface HeadsProps {
  readonly name: string | null;
  readonly draft: { readonly name: string; readonly description: string };
  readonly nameFault: string | null;
  readonly onChange: (changed: { name?: string; description?: string }) => void;
}

function Heads({ name, draft, nameFault, onChange }: HeadsProps): ReactNode {
  const texts = useTexts(typesTexts);
  return (
    <>
      {name === null && (
        <TextField
          label={texts.name}
          help={texts.createNameHelp}
          value={draft.name}
          error={nameFault}
          onChange={(value) => onChange({ name: value })}
          autoFocus
          isMonospace
        />
      )}
      <TextField
        label={texts.typeText}
        help={texts.typeTextHelp}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
    </>
  );
}

interface FormProps {
  readonly parsed: ReturnType<typeof parseDeclaration>;
  readonly faults: Problem['faults'];
  readonly onChange: (text: string) => void;
}

function Form({ parsed, faults, onChange }: FormProps): ReactNode {
  const texts = useTexts(typesTexts);
  const { declaration, fault } = parsed;
  if (declaration === null)
    return (
      <p role="alert" className="foreign text-bad">
        {texts.notJson(fault ?? '')}. {texts.mendJson}
      </p>
    );
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium">{texts.members}</span>
      <span className="text-sm text-soft">{texts.membersHelp}</span>
      <MemberList
        object={declaration}
        onChange={(object) => onChange(JSON.stringify(object, null, 2))}
        pointer=""
        faults={faults}
      />
    </div>
  );
}

interface VerdictProps {
  readonly trial: ReturnType<typeof useTrial>;
  readonly isNamed: boolean;
  readonly isRead: boolean;
}

function Verdict({ trial, isNamed, isRead }: VerdictProps): ReactNode {
  const texts = useTexts(typesTexts);
  if (!isNamed) return <p className="text-soft">{texts.nameFirst}</p>;
  if (!isRead) return <p className="text-soft">{texts.mendJson}</p>;
  if (trial.error instanceof Problem) return <ProblemNote problem={trial.error} />;
  if (trial.data === undefined) return <p className="text-soft">{texts.checking}</p>;
  const { version, unchanged, changes } = trial.data;
  const compatible = version === 1 ? texts.first : texts.compatible;
  return (
    <Difference changes={changes} isUnchanged={unchanged} words={{ ...texts, compatible }}>
      {breaks(changes) && <p className="text-soft">{texts.breakingText}</p>}
    </Difference>
  );
}

interface TypeDraft {
  /** The declaration as JSON. Both views of the editor edit this text. */
  readonly text: string;
  readonly description: string;
  /** Of a type that does not exist yet. */
  readonly name: string;
  /** The version that was edited; 0 for a new type. */
  readonly base: number;
}

/** The draft of a declaration until it is declared or discarded. `id` is the name of the type, empty for a new one. */
function useTypeDraft(id: string, start: TypeDraft) {
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
