import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { projectsQuery } from '../../api/session.ts';
import { useAct } from '../../api/use-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { CheckField } from '../../components/fields/check-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';

/** Creates a project, shows its first key once, and opens it. */
export function CreateProject({ onClose }: { readonly onClose: () => void }): ReactNode {
  const texts = useTexts(layoutTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [testMode, setTestMode] = useState(false);
  const create = useAct('POST /v1/projects', {
    onDone: () => void client.invalidateQueries({ queryKey: projectsQuery.queryKey }),
  });
  if (create.data !== undefined) {
    const { project, text } = create.data;
    return (
      <Dialog title={texts.projectCreated(project.name)} onClose={onClose} isRequired>
        <h3 className="font-medium">{texts.firstKey}</h3>
        <p className="text-soft">{texts.firstKeyHelp}</p>
        <CodeBlock label={texts.firstKey} code={text} />
        <DialogEnd
          action={texts.openProject}
          onClose={onClose}
          close={texts.close}
          onPress={() => {
            onClose();
            void navigate({ to: '/p/$projectId/overview', params: { projectId: project.id } });
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.createProject} onClose={onClose}>
      <Form onSubmit={() => create.mutate({ body: { name: name.trim(), testMode } })}>
        <p className="text-soft">{texts.createProjectHelp}</p>
        <TextField
          label={texts.name}
          help={texts.projectNameHelp}
          value={name}
          onChange={setName}
          autoComplete="off"
          autoFocus
        />
        <CheckField
          label={texts.testMode}
          help={texts.testModeHelp}
          isChecked={testMode}
          onChange={setTestMode}
        />
        <DialogEnd
          action={texts.createProject}
          isDisabled={name.trim() === ''}
          act={create}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
