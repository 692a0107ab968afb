import type { EditorView } from '@codemirror/view';
import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useAct } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../components/dialogs/dialog.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Form } from '../../../components/form.tsx';
import { ProblemNote } from '../../../components/states/page-state.tsx';
import { useKeys } from '../../../keyboard/use-keys.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { SqlTab } from '../workspace.ts';
import type { QuerySchema } from './completion.ts';
import { Editor, type MarkedFault } from './editor.tsx';
import { isOfRange, type Parameter, parametersOf } from './parameters.ts';

interface StatementPanelProps {
  readonly tab: SqlTab;
  readonly schema: QuerySchema | undefined;
  readonly fault: MarkedFault | null;
  readonly viewOf: RefObject<EditorView | null>;
  readonly isRunning: boolean;
  readonly onChange: (changed: Partial<SqlTab>) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

/** Longer addresses are cut off by some programs that pass links on. */
const mostLinkCharacters = 8_000;

/** The statement, its parameters, and what can be done with it. */
export function StatementPanel(props: StatementPanelProps): ReactNode {
  const { tab, schema, fault, viewOf, isRunning, onChange, onRun, onCancel } = props;
  const texts = useTexts(sqlTexts);
  const [isSaving, setSaving] = useState(false);
  const parameters = useMemo(() => parametersOf(tab.sql), [tab.sql]);
  useKeys({ 'mod+Enter': onRun, 'mod+enter': onRun });
  const link = linkTo(tab.sql);
  return (
    <>
      <div className="h-56 min-h-24 resize-y overflow-hidden">
        <Editor
          tabId={tab.id}
          sql={tab.sql}
          schema={schema}
          fault={fault}
          onChange={(sql) => onChange({ sql })}
          onRun={onRun}
          viewOf={viewOf}
        />
      </div>
      <ParameterFields
        parameters={parameters}
        typed={tab.typed}
        onChange={(typed) => onChange({ typed })}
        onRun={onRun}
      />
      <div className="flex flex-wrap items-center gap-2 border-t px-3 py-2">
        <Button look="primary" icon="play" isDisabled={tab.sql.trim() === ''} onPress={onRun}>
          {texts.run}
        </Button>
        {isRunning ? (
          <Button icon="x" onPress={onCancel}>
            {texts.cancel}
          </Button>
        ) : (
          <span className="text-sm text-soft">{texts.runKey}</span>
        )}
        {tab.sql.trim() !== '' && !parameters.some(isOfRange) && (
          <span className="text-sm text-soft">· {texts.noRange}</span>
        )}
        <span className="flex-1" />
        <Button
          look="quiet"
          icon="link"
          isDisabled={link.length > mostLinkCharacters}
          onPress={() => {
            void navigator.clipboard.writeText(link).then(() => showToast(texts.linkCopied));
          }}
        >
          {texts.copyLink}
        </Button>
        <Button look="quiet" icon="save" onPress={() => setSaving(true)}>
          {texts.save}
        </Button>
      </div>
      {isSaving && (
        <SaveDialog
          tab={tab}
          onSaved={({ id, name, version }) => onChange({ name, saved: { id, version } })}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

/** Opens the statement in a tab of whoever follows it. */
function linkTo(sql: string): string {
  return `${location.origin}${location.pathname}?sql=${encodeURIComponent(JSON.stringify(sql))}`;
}

interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (typed: Readonly<Record<string, string>>) => void;
  readonly onRun: () => void;
}

/** A field for each `{name:Type}` of the statement. Enter runs it. */
function ParameterFields({ parameters, typed, onChange, onRun }: ParameterFieldsProps): ReactNode {
  const texts = useTexts(sqlTexts);
  if (parameters.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-x-3 gap-y-2 border-t px-3 py-2">
      <legend className="sr-only">{texts.parameters}</legend>
      {parameters.map((parameter) => {
        const { name, type } = parameter;
        return (
          <TextField
            key={name}
            className="w-52"
            label={`${name} · ${type}`}
            isMonospace
            value={typed[name] ?? ''}
            onChange={(value) => onChange({ ...typed, [name]: value })}
            onKeyDown={({ key }) => {
              if (key === 'Enter') onRun();
            }}
            {...(isOfRange(parameter) && { placeholder: texts.ofRange })}
            {...(type.startsWith('Array(') && { help: texts.listHelp })}
          />
        );
      })}
    </fieldset>
  );
}

type SavedRecord = RowOf<'GET /v1/saved-queries'>;

interface SaveDialogProps {
  readonly tab: SqlTab;
  readonly onSaved: (saved: SavedRecord) => void;
  readonly onClose: () => void;
}

/** Saves a statement with the values of its parameters, for everyone in the project. */
function SaveDialog({ tab, onSaved, onClose }: SaveDialogProps): ReactNode {
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
    <Dialog title={texts.saveTitle} onClose={onClose}>
      <Form onSubmit={saveOver ?? saveNew}>
        <TextField label={texts.name} value={name} onChange={setName} autoFocus maxLength={200} />
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
