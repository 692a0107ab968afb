import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { isForbidden, isMissing, Problem } from '../../api/problem.ts';
import { useAct, useCall, useList, useProjectId, useSettled } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { faultText } from '../../texts/fault-texts.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { Meter } from '../pipeline/meter.tsx';
import { Difference } from '../types/change-list.tsx';
import { parseDeclaration } from '../types/editor/parse-declaration.ts';
import { useTrial } from '../types/editor/use-trial.ts';
import { acceptText } from './accept-text.ts';
import { replayChanges } from './filter-acts.tsx';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

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
  if (isForbidden(current.error)) return null;
  return (
    <Panel title={texts.mend}>
      {isMissing(current.error) ? (
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
      {trial.error instanceof Problem && <ProblemNote problem={trial.error} />}
      {trial.data !== undefined && trial.error === null && (
        <Difference changes={trial.data.changes} isUnchanged={trial.data.unchanged} words={texts}>
          {trial.data.changes.some(({ change }) => change === 'retyped') && (
            <p className="text-soft">{texts.retyped}</p>
          )}
        </Difference>
      )}
      {declare.error !== null && <ProblemNote problem={declare.error} />}
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

interface SampleCheckProps {
  readonly type: string;
  readonly filter: QuarantineFilter;
  /** Null while it cannot be read. */
  readonly declaration: Readonly<Record<string, unknown>> | null;
  readonly onOpen: (id: string) => void;
}

type Checked = NonNullable<AnswerOf<'POST /v1/event-types/{name}/check'>['quarantined']>;

/** How many of the rejected events would pass with the declaration that is being edited. */
function SampleCheck({ type, filter, declaration, onOpen }: SampleCheckProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const may = useMay();
  const settled = useSettled(declaration);
  const isPermitted = may('personal:read');
  const quarantined = filter.reason === undefined ? {} : { reason: filter.reason };
  const check = useCall(
    'POST /v1/event-types/{name}/check',
    { params: { name: type }, body: { declaration: settled ?? {}, quarantined } },
    { enabled: isPermitted && settled !== null, everyMs: 10_000 },
  );
  if (!isPermitted) return <p className="text-soft">{texts.checkHidden}</p>;
  const data = check.data?.quarantined ?? null;
  // The trial beside it shows what is wrong with the declaration.
  if (data === null || check.error !== null || settled === null || check.data === undefined) return null;
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-ground p-3">
      <Verdict checked={data} />
      <NamedVersions type={type} checked={data} version={check.data.version} />
      <Refusals checked={data} onOpen={onOpen} />
    </div>
  );
}

function Verdict({ checked: data }: { readonly checked: Checked }): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { checked, passed, complete } = data;
  if (checked === 0) return <p role="status">{texts.checkNone}</p>;
  const say = complete ? texts.checkAll : texts.checkNewest;
  const verdict = say(formats.number(passed), formats.number(checked));
  return (
    <>
      <p role="status" className="font-semibold">
        {verdict}
      </p>
      <Meter label={verdict} value={passed} limit={checked} badFrom={2} />
    </>
  );
}

interface NamedVersionsProps {
  readonly type: string;
  readonly checked: Checked;
  readonly version: number;
}

/** Events that name a version are replayed as that version, whatever is declared now. */
function NamedVersions({ type, checked, version }: NamedVersionsProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  return checked.versions
    .filter((one) => one.version !== version)
    .map((one) => (
      <p key={one.version} className="text-soft">
        {texts.checkNamed(formats.number(one.events), String(one.version))}{' '}
        <Link to="/p/$projectId/types/$name" from="/p/$projectId" params={{ name: type }}>
          {texts.checkRetire}
        </Link>
      </p>
    ));
}

interface RefusalsProps {
  readonly checked: Checked;
  readonly onOpen: (id: string) => void;
}

const mostShown = 5;

/** The faults of those that do not pass, equal ones once. */
function Refusals({ checked, onOpen }: RefusalsProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { language } = usePreferences();
  const byFault = Map.groupBy(checked.refusals, ({ pointer, message }) => `${pointer} ${message}`);
  const faults = Array.from(byFault.values()).slice(0, mostShown);
  if (faults.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {faults.flatMap(([first]) =>
        first === undefined ? (
          []
        ) : (
          <li key={first.id} className="flex items-center justify-between gap-2">
            <span className="foreign min-w-0 text-bad">
              <code className="font-mono text-sm">{first.pointer || '/'}</code> {faultText(first, language)}
            </span>
            <Button look="quiet" className="-mr-2.5" onPress={() => onOpen(first.id)}>
              {texts.checkShow}
            </Button>
          </li>
        ),
      )}
    </ul>
  );
}
