import { type ReactNode, useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { isForbidden, Problem } from '../../api/problem.ts';
import { useAct, useCall, useList } from '../../api/use-call.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ChangeList } from '../types/change-list.tsx';
import { DeclarationProblem } from '../types/declaration-problem.tsx';
import { parseDeclaration } from '../types/editor/parse-declaration.ts';
import { useTrial } from '../types/editor/use-trial.ts';
import { acceptText } from './accept-text.ts';
import { replayChanges } from './filter-acts.tsx';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';
import { SampleCheck } from './sample-check.tsx';

interface MendProps {
  readonly type: string;
  readonly filter: QuarantineFilter;
  readonly onOpen: (id: string) => void;
  /** After a replay that left nothing behind. */
  readonly onMended: () => void;
}

const newDeclaration = { type: 'object', properties: {} };

/** Edits the declaration beside what it rejected, declares it and replays. */
export function Mend({ type, ...props }: MendProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const current = useCall('GET /v1/event-types/{name}', { params: { name: type } });
  const isUnknown = current.error instanceof Problem && current.error.status === 404;
  if (isForbidden(current.error)) return null;
  return (
    <Panel title={texts.mend}>
      {isUnknown ? (
        <MendForm type={type} {...props} declaration={newDeclaration} />
      ) : (
        <PageState query={current}>
          {({ versions }) => (
            <MendForm type={type} {...props} declaration={versions.at(-1)?.declaration ?? newDeclaration} />
          )}
        </PageState>
      )}
    </Panel>
  );
}

interface MendFormProps extends MendProps {
  readonly declaration: object;
}

function MendForm({ type, filter, onOpen, onMended, declaration }: MendFormProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  const [text, setText] = useState(() => JSON.stringify(declaration, null, 2));
  const parsed = useMemo(() => parseDeclaration(text), [text]);
  const trial = useTrial(type, parsed.declaration);
  const declare = useAct('POST /v1/event-types/{name}/versions', {
    changes: ['GET /v1/event-types', 'GET /v1/event-types/{name}'],
  });
  const replay = useAct('POST /v1/quarantine/replay', {
    changes: replayChanges,
    onDone: ({ replayed, refused }) => {
      showToast(texts.replayed(formats.number(replayed), formats.number(refused)));
      if (refused === 0) onMended();
    },
  });
  const act = async () => {
    if (parsed.declaration === null) return;
    await declare.mutateAsync({ params: { name: type }, body: { declaration: parsed.declaration } });
    await call('GET /v1/event-types/{name}', { params: { name: type }, projectId });
    replay.mutate({ body: { filter } });
  };
  const { query: entries } = useList('GET /v1/quarantine', { query: filter });
  const offer = parsed.declaration && acceptText(parsed.declaration, entries.data ?? []);
  return (
    <Form className="flex flex-col gap-3" onSubmit={() => act().catch(() => undefined)}>
      <p className="text-soft">{texts.mendText}</p>
      {offer !== null && (
        <Button
          icon="check"
          className="h-auto min-h-7 self-start whitespace-normal text-left"
          onPress={() => setText(JSON.stringify(offer.declaration, null, 2))}
        >
          {texts.acceptText(offer.members.join(', '))}
        </Button>
      )}
      <SampleCheck type={type} filter={filter} declaration={parsed.declaration} onOpen={onOpen} />
      <TextField
        label={texts.declaration}
        value={text}
        onChange={setText}
        rows={14}
        isMonospace
        error={parsed.fault === null ? null : texts.notJson(parsed.fault)}
      />
      {trial.error instanceof Problem && <DeclarationProblem problem={trial.error} />}
      {trial.data !== undefined && trial.error === null && <Difference trial={trial.data} />}
      {declare.error !== null && <DeclarationProblem problem={declare.error} />}
      <ProblemNote problem={replay.error} />
      <Button
        needs="eventTypes:write"
        type="submit"
        look="primary"
        className="self-start"
        isDisabled={parsed.declaration === null || declare.isPending || replay.isPending}
      >
        {texts.declare}
      </Button>
    </Form>
  );
}

type Trial = NonNullable<ReturnType<typeof useTrial>['data']>;

function Difference({ trial: { unchanged, changes } }: { readonly trial: Trial }): ReactNode {
  const texts = useTexts(quarantineTexts);
  const isBreaking = changes.some(({ kind }) => kind === 'breaking');
  return (
    <div className="flex flex-col gap-1">
      <span>
        {unchanged ? (
          <Badge>{texts.unchanged}</Badge>
        ) : (
          <Badge tone={isBreaking ? 'bad' : 'accent'}>{isBreaking ? texts.breaking : texts.compatible}</Badge>
        )}
      </span>
      <ChangeList changes={changes} />
      {changes.some(({ change }) => change === 'retyped') && <p className="text-soft">{texts.retyped}</p>}
    </div>
  );
}
