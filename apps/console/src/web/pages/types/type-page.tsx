import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useAct, useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { FaultText, PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useChangeSearch } from '../../layout/use-change-search.ts';
import { useTime } from '../../layout/use-time.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { RejectedLink } from '../quarantine/rejected-link.tsx';
import { DeclarationEditor } from './editor/declaration-editor.tsx';
import { parseDeclaration } from './editor/parse-declaration.ts';
import { MemberTable } from './member-table.tsx';
import { SendOne } from './send-one.tsx';
import { StatusBadge } from './types-page.tsx';
import { typesTexts } from './types-texts.ts';
import { VersionDifference } from './version-difference.tsx';

const pollMs = 3_000;

type Version = AnswerOf<'GET /v1/event-types/{name}'>['versions'][number];

export function TypePage(): ReactNode {
  const texts = useTexts(typesTexts);
  const { name } = useParams({ from: '/p/$projectId/types/$name' });
  const type = useCall('GET /v1/event-types/{name}', { params: { name } });
  const { edit } = useSearch({ from: '/p/$projectId/types/$name' });
  const changeSearch = useChangeSearch();
  const { range } = useTime();
  const newest = type.data?.versions.at(-1);
  const setEditing = (isEditing: boolean) => changeSearch({ edit: isEditing || undefined });
  if (edit === true)
    return (
      <Page
        title={texts.editTitle(name)}
        actions={
          <Button look="quiet" onPress={() => setEditing(false)}>
            {texts.back}
          </Button>
        }
      >
        <PageState query={type}>
          {({ description, versions }) => (
            <DeclarationEditor
              name={name}
              declaration={versions.at(-1)?.declaration ?? {}}
              description={description}
              version={versions.at(-1)?.version ?? 0}
              onDone={() => setEditing(false)}
            />
          )}
        </PageState>
      </Page>
    );
  return (
    <Page
      title={name}
      actions={
        type.error === null && (
          <>
            <RejectedLink range={range} type={name} text={texts.rejectedEvents} />
            <Button
              needs="eventTypes:write"
              look="primary"
              icon="pencil"
              isDisabled={newest === undefined}
              onPress={() => setEditing(true)}
            >
              {texts.edit}
            </Button>
          </>
        )
      }
    >
      <PageState query={type}>
        {({ description, viewFault, versions }) => (
          <>
            {description !== null && <p className="foreign text-soft">{description}</p>}
            {viewFault !== null && <p className="foreign text-bad">{viewFault}</p>}
            <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,4fr)_minmax(0,3fr)]">
              <div className="flex min-w-0 flex-col gap-3">
                <MemberTable type={name} declaration={versions.at(-1)?.declaration ?? {}} />
                <SendOne name={name} declaration={versions.at(-1)?.declaration ?? {}} />
                <Examples name={name} />
                <GeneratedCode name={name} />
              </div>
              <div className="flex min-w-0 flex-col gap-3">
                <Versions name={name} versions={versions} />
                {versions.length > 1 && <VersionDifference name={name} versions={versions} />}
                <TrySample name={name} />
              </div>
            </div>
          </>
        )}
      </PageState>
    </Page>
  );
}

const actsOf = {
  available: ['deprecate'],
  deprecated: ['retire', 'restore'],
  retired: ['restore'],
} as const;

function Versions({
  name,
  versions,
}: {
  readonly name: string;
  readonly versions: readonly Version[];
}): ReactNode {
  const texts = useTexts(typesTexts);
  const formats = useFormats();
  const [retiring, setRetiring] = useState<Version | null>(null);
  const set = useAct('PATCH /v1/event-types/{name}/versions/{version}', {
    changes: ['GET /v1/event-types', 'GET /v1/event-types/{name}'],
  });
  const changeOf = ({ version, status: from }: Version, status: Version['status']) => ({
    params: { name, version },
    body: { from, status },
  });
  const acts = {
    deprecate: (version: Version) => set.mutate(changeOf(version, 'deprecated')),
    retire: setRetiring,
    restore: (version: Version) => set.mutate(changeOf(version, 'available')),
  };
  return (
    <Panel title={texts.versions}>
      <ul className="flex flex-col">
        {versions.toReversed().map((version) => (
          <li
            key={version.version}
            className="flex h-9 items-center gap-2 whitespace-nowrap border-b last:border-b-0"
          >
            <span className="font-medium">{texts.version(String(version.version))}</span>
            <StatusBadge status={version.status} />
            <span className="min-w-0 flex-1 truncate text-soft" title={formats.time(version.created)}>
              {formats.day(version.created)}
            </span>
            {actsOf[version.status].map((act) => (
              <Button key={act} look="quiet" needs="eventTypes:write" onPress={() => acts[act](version)}>
                {texts[act]}
              </Button>
            ))}
          </li>
        ))}
      </ul>
      <ProblemNote problem={set.error} />
      {retiring !== null && (
        <ConfirmDialog
          title={texts.retire}
          name={`${name} ${retiring.version}`}
          act={set}
          input={changeOf(retiring, 'retired')}
          onClose={() => setRetiring(null)}
        >
          {texts.retireText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Examples({ name }: { readonly name: string }): ReactNode {
  const texts = useTexts(typesTexts);
  const formats = useFormats();
  const samples = useCall(
    'GET /v1/event-types/{name}/samples',
    { params: { name }, query: { limit: 5 } },
    // The first event shows by itself.
    { everyMs: (answer) => (answer?.results.length === 0 ? pollMs : undefined) },
  );
  return (
    <Panel title={texts.examples}>
      <PageState query={samples} empty={<p className="text-soft">{texts.noExamples}</p>}>
        {({ results }) => (
          <ul className="flex flex-col gap-2">
            {results.map(({ eventId, received, event, version }) => (
              <li key={eventId} className="flex flex-col gap-1">
                <span className="text-sm text-soft">
                  {formats.time(received)} · {texts.version(String(version))}
                </span>
                <CodeBlock label={eventId} code={writeLine(event)} isWrapped />
              </li>
            ))}
          </ul>
        )}
      </PageState>
    </Panel>
  );
}

/** On one line, with the spaces at which it may be wrapped. */
function writeLine(event: unknown): string {
  return JSON.stringify(event, null, 1).replaceAll(/\n\s*/g, ' ');
}

function TrySample({ name }: { readonly name: string }): ReactNode {
  const texts = useTexts(typesTexts);
  const [text, setText] = useState('{\n  \n}');
  const parsed = parseDeclaration(text);
  const validate = useAct('POST /v1/event-types/{name}/validate');
  return (
    <Panel title={texts.sample}>
      <Form
        className="flex flex-col gap-2"
        onSubmit={() => {
          if (parsed.declaration !== null) validate.mutate({ params: { name }, body: parsed.declaration });
        }}
      >
        <TextField
          label={texts.sampleText}
          value={text}
          onChange={setText}
          rows={6}
          isMonospace
          error={parsed.fault === null ? null : texts.notJson(parsed.fault)}
        />
        <div className="flex items-center gap-2">
          <Button type="submit" isDisabled={parsed.declaration === null || validate.isPending}>
            {texts.sampleCheck}
          </Button>
          {validate.data?.valid === true && (
            <Badge tone="accent">{texts.sampleValid(String(validate.data.version))}</Badge>
          )}
        </div>
        {validate.data?.errors.map(({ location, reason, message }) => (
          <p key={`${location} ${message}`} role="alert" className="text-bad">
            <FaultText location={location} reason={reason} message={message} />
          </p>
        ))}
        <ProblemNote problem={validate.error} />
      </Form>
    </Panel>
  );
}

/** In the names that their users know. */
const languageNames = {
  typescript: 'TypeScript',
  csharp: 'C#',
  unity: 'Unity (C#)',
  gdscript: 'Godot (GDScript)',
  cpp: 'C++',
} as const;
type Language = keyof typeof languageNames;
const languages = Object.keys(languageNames) as Language[];

function GeneratedCode({ name }: { readonly name: string }): ReactNode {
  const texts = useTexts(typesTexts);
  const [language, setLanguage] = useState<Language>('typescript');
  const code = useCall('GET /v1/event-types/{name}/code', { params: { name }, query: { language } });
  return (
    <Panel
      title={texts.code}
      actions={
        <SelectField
          label={texts.language}
          isLabelHidden
          value={language}
          onChange={setLanguage}
          choices={languages}
          labelOf={(each) => languageNames[each]}
        />
      }
    >
      <PageState query={code}>
        {({ fileName, code: text }) => <CodeBlock label={fileName} code={text} />}
      </PageState>
    </Panel>
  );
}
