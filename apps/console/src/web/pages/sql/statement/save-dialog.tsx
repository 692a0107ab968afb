import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useAct } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../components/dialogs/dialog.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Form } from '../../../components/form.tsx';
import { ProblemNote } from '../../../components/states/problem-note.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { SqlTab } from '../workspace.ts';

type SavedRecord = RowOf<'GET /v1/saved-queries'>;

interface SaveDialogProps {
  readonly tab: SqlTab;
  readonly onSaved: (saved: SavedRecord) => void;
  readonly onClose: () => void;
}

/** Saves a statement with the values of its parameters, for everyone in the project. */
export function SaveDialog({ tab, onSaved, onClose }: SaveDialogProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const [name, setName] = useState(tab.name);
  const done = {
    changes: ['GET /v1/saved-queries'],
    onDone: (saved: SavedRecord) => {
      showToast(texts.saved);
      onSaved(saved);
      onClose();
    },
  } as const;
  const create = useAct('POST /v1/saved-queries', done);
  const replace = useAct('PATCH /v1/saved-queries/{id}', done);
  const content = { sql: tab.sql, parameters: tab.typed };
  const isReady = name.trim() !== '' && tab.sql.trim() !== '' && !create.isPending && !replace.isPending;
  const { saved } = tab;
  const saveNew = () => create.mutate({ body: { name: name.trim(), content } });
  const saveOver =
    saved &&
    (() =>
      replace.mutate({
        params: { id: saved.id },
        body: { version: saved.version, name: name.trim(), content },
      }));
  const problem = create.error ?? replace.error;
  return (
    <Dialog title={texts.saveTitle} isOpen onClose={onClose}>
      <Form
        onSubmit={() => {
          if (isReady) (saveOver ?? saveNew)();
        }}
      >
        <TextField label={texts.saveName} value={name} onChange={setName} autoFocus maxLength={200} />
        <ProblemNote problem={problem} />
        <DialogActions>
          {saveOver !== undefined && (
            <Button isDisabled={!isReady} onPress={saveNew}>
              {texts.saveNew}
            </Button>
          )}
          <Button type="submit" look="primary" isDisabled={!isReady}>
            {saveOver === undefined ? texts.save : texts.saveUpdate}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
