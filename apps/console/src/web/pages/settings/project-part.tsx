import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { projectsQuery } from '../../api/session.ts';
import { useAct, useCall, useProjectId } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { CheckField } from '../../components/fields/check-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { ExplainedForm, formWidth } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { Editable, useMay } from '../../components/states/permissions.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { settingsTexts } from './settings-texts.ts';

type Project = AnswerOf<'GET /v1/projects/{projectId}'>;

/** The name of the project, and what kind of sign-in it accepts. */
export function ProjectPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const projectId = useProjectId();
  const may = useMay();
  const project = useCall('GET /v1/projects/{projectId}', { params: { projectId } });
  return (
    <>
      <Panel title={texts.project} className={formWidth}>
        <PageState query={project} skeletonLines={4}>
          {(shown) => <ProjectForm project={shown} reload={() => void project.refetch()} />}
        </PageState>
      </Panel>
      {project.data !== undefined && may('projects:write') && <ProjectDeletion project={project.data} />}
    </>
  );
}

function ProjectDeletion({ project: { id, name } }: { readonly project: Project }): ReactNode {
  const texts = useTexts(settingsTexts);
  const remove = useAct('POST /v1/projects/{projectId}/deletion', {
    movesSession: true,
    // The session continues in another project, or has ended: the address of the console leads on.
    onDone: () => location.assign('/'),
  });
  return (
    <Panel
      title={texts.deleteProject}
      className={formWidth}
      actions={
        <ConfirmButton
          title={texts.deleteProject}
          name={name}
          act={remove}
          input={{ params: { projectId: id }, body: { name } }}
        >
          {texts.deleteProjectText}
        </ConfirmButton>
      }
    >
      <p className="text-soft">{texts.deleteProjectText}</p>
    </Panel>
  );
}

interface ProjectFormProps {
  readonly project: Project;
  readonly reload: () => void;
}

function ProjectForm({ project, reload }: ProjectFormProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const client = useQueryClient();
  const [edits, setEdits] = useState<Partial<Pick<Project, 'name' | 'testMode'>>>({});
  const save = useAct('PATCH /v1/projects/{projectId}', {
    changes: ['GET /v1/projects/{projectId}'],
    onDone: () => {
      setEdits({});
      showToast(texts.saved);
      void client.invalidateQueries({ queryKey: projectsQuery.queryKey });
    },
  });
  const { name = project.name, testMode = project.testMode } = edits;
  const isChanged = name !== project.name || testMode !== project.testMode;
  const isAtName = save.error?.parameterName === 'name';
  return (
    <ExplainedForm
      explanation={texts.projectNameHelp}
      onSubmit={() => {
        const sent = { params: { projectId: project.id }, body: { version: project.version, ...edits } };
        save.mutate(sent, { onError: ({ reason }) => reason === 'objectChanged' && reload() });
      }}
    >
      <Editable needs="projects:write">
        <TextField
          label={texts.name}
          value={name}
          error={isAtName ? (save.error?.fields ?? null) : null}
          onChange={(typed) => setEdits({ ...edits, name: typed })}
          autoComplete="off"
        />
        <CheckField
          label={texts.testMode}
          help={texts.testModeHelp}
          isChecked={testMode}
          onChange={(isChecked) => setEdits({ ...edits, testMode: isChecked })}
        />
        <ProjectFacts project={project} />
        {!isAtName && <ProblemNote problem={save.error} />}
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            look="primary"
            needs="projects:write"
            isDisabled={!isChanged || save.isPending}
          >
            {texts.save}
          </Button>
          {isChanged && <Button onPress={() => setEdits({})}>{texts.discard}</Button>}
        </div>
      </Editable>
    </ExplainedForm>
  );
}

function ProjectFacts({ project: { id, created } }: { readonly project: Project }): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  return (
    <dl className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <div>
        <dt className="font-medium">{texts.projectId}</dt>
        <dd className="flex items-center gap-1 font-mono text-sm">
          {id}
          <CopyButton text={id} />
        </dd>
        <dd className="text-sm text-soft">{texts.projectIdHelp}</dd>
      </div>
      <div>
        <dt className="font-medium">{texts.created}</dt>
        <dd className="leading-7">{formats.time(created)}</dd>
      </div>
    </dl>
  );
}
