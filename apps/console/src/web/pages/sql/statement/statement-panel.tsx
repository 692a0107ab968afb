import type { EditorView } from '@codemirror/view';
import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useKeys } from '../../../keyboard/use-keys.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { SqlTab } from '../workspace.ts';
import type { QuerySchema } from './completion.ts';
import { Editor, type MarkedFault } from './editor.tsx';
import { isOfRange, type Parameter, parametersOf } from './parameters.ts';
import { SaveDialog } from './save-dialog.tsx';

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
