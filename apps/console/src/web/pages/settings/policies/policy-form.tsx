import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { ExplainedForm, formWidth } from '../../../components/form.tsx';
import { Panel } from '../../../components/panel.tsx';
import { PageState, ProblemNote } from '../../../components/states/page-state.tsx';
import { Editable } from '../../../components/states/permissions.tsx';
import { usePreferences } from '../../../look/preferences.ts';
import { faultText } from '../../../texts/fault-texts.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { policyTexts } from './policy-texts.ts';
import { faultAt, type Path, readNumber, valueAt } from './policy-values.ts';
import type { Policy } from './use-policy.ts';

export interface Group {
  readonly id: string;
  readonly title?: string;
  readonly help?: string;
  /** Whether it looks like the groups with a title. */
  readonly isFramed?: boolean;
  /** An object that the group can switch on and off. */
  readonly switchPath?: Path;
  /** An entry that the group can delete. */
  readonly removePath?: Path;
  readonly fields: readonly Field[];
  /** Below the fields: a way to add one. */
  readonly footer?: ReactNode;
}

interface PolicyFormProps {
  readonly title: string;
  readonly help: string;
  readonly policy: Policy;
  readonly groups: readonly Group[];
  /** Above the groups: a field that needs more than a member. */
  readonly lead?: ReactNode;
  /** Below the groups: a way to add one. */
  readonly children?: ReactNode;
}

/** A policy of the project as a form. A refusal stands at the field that it names. */
export function PolicyForm({ title, help, policy, groups, lead, children }: PolicyFormProps): ReactNode {
  return (
    <Panel title={title} className={formWidth}>
      <PageState query={policy.query} skeletonLines={3}>
        {() => (
          <ExplainedForm label={title} explanation={help} onSubmit={policy.save}>
            <Editable needs="policies:write">
              {lead}
              {groups.map((group) => (
                <FieldGroup key={group.id} group={group} policy={policy} />
              ))}
              {children}
              <SaveBar policy={policy} groups={groups} />
            </Editable>
          </ExplainedForm>
        )}
      </PageState>
    </Panel>
  );
}

function FieldGroup({ group, policy }: { readonly group: Group; readonly policy: Policy }): ReactNode {
  const texts = useTexts(policyTexts);
  const { title, help, switchPath, removePath, fields, footer } = group;
  const isOn = switchPath === undefined || valueAt(policy.value, switchPath) instanceof Object;
  const { language } = usePreferences();
  const faultOf = (fault: string | null) => {
    if (fault === null) return null;
    return fault === 'missing' ? texts.missing : faultText({ message: fault }, language);
  };
  const isFramed = group.isFramed ?? title !== undefined;
  return (
    <fieldset
      aria-label={title}
      className={`flex min-w-0 flex-col gap-3 ${isFramed ? 'rounded-md border px-3 py-2.5' : ''}`}
    >
      {switchPath !== undefined && title !== undefined ? (
        <CheckField
          label={title}
          {...(help !== undefined && { help })}
          isChecked={isOn}
          onChange={(isChecked) => policy.setSwitch(switchPath, isChecked)}
        />
      ) : (
        title !== undefined && (
          <div className="flex items-start justify-between gap-2">
            <div className="flex min-w-0 flex-col">
              <span className="foreign font-medium">{title}</span>
              {help !== undefined && <span className="text-sm text-soft">{help}</span>}
            </div>
            {removePath !== undefined && (
              <IconButton
                icon="trash"
                label={texts.removeNamed(title)}
                onPress={() => policy.set(removePath, undefined)}
              />
            )}
          </div>
        )
      )}
      {isOn && fields.length > 0 && (
        <div className={`grid gap-x-4 gap-y-3 ${isOneFlag(fields) ? '' : 'sm:grid-cols-2'}`}>
          {fields.map((field) => (
            <PolicyField
              key={field.path.join('\0')}
              field={field}
              value={valueAt(policy.value, field.path)}
              error={faultOf(faultAt(policy.problem, field.path))}
              onChange={(to) => policy.set(field.path, to)}
            />
          ))}
        </div>
      )}
      {isOn && footer}
    </fieldset>
  );
}

function isOneFlag(fields: readonly Field[]): boolean {
  return fields.length === 1 && fields[0]?.kind === 'flag';
}

interface SaveBarProps {
  readonly policy: Policy;
  readonly groups: readonly Group[];
}

function SaveBar({ policy, groups }: SaveBarProps): ReactNode {
  const texts = useTexts(policyTexts);
  const { problem } = policy;
  const isAtField = groups.some(({ fields }) => fields.some(({ path }) => faultAt(problem, path) !== null));
  return (
    <div className="flex flex-col gap-2">
      {!isAtField && <ProblemNote problem={problem} />}
      {problem?.reason === 'objectChanged' && <p className="text-soft">{texts.changedElsewhere}</p>}
      {isAtField && (
        <p role="alert" className="text-bad">
          {texts.refusedAtField}
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button
          type="submit"
          look="primary"
          needs="policies:write"
          isDisabled={!policy.isChanged || policy.isPending}
        >
          {texts.save}
        </Button>
        {policy.isChanged && (
          <>
            <Button onPress={policy.discard}>{texts.discard}</Button>
            <span className="text-sm text-soft">{texts.unsaved}</span>
          </>
        )}
      </div>
    </div>
  );
}

export interface Field {
  readonly path: Path;
  /** `list`: one entry per line. `secret`: the server shows it only as asterisks. */
  readonly kind: 'text' | 'secret' | 'number' | 'list' | 'flag' | 'choice';
  readonly label: string;
  readonly help?: string;
  /** What an empty field means. */
  readonly placeholder?: string;
  /** The value of an empty field. The default removes the member. */
  readonly empty?: null | '';
  /** The value of a member that is not set. */
  readonly standard?: string | boolean;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

interface PolicyFieldProps {
  readonly field: Field;
  readonly value: unknown;
  readonly error: string | null;
  readonly onChange: (to: unknown) => void;
}

function PolicyField({ field, value, error, onChange }: PolicyFieldProps): ReactNode {
  const { kind, label, help, placeholder, standard, choices = [] } = field;
  const helped = { label, ...(help !== undefined && { help }) };
  if (kind === 'flag') {
    return <CheckField {...helped} isChecked={(value ?? standard) === true} onChange={onChange} />;
  }
  if (kind === 'choice') {
    return (
      <SelectField
        {...helped}
        value={String(value ?? standard ?? '')}
        choices={choices.map((choice) => choice.value)}
        labelOf={(each) => choices.find((choice) => choice.value === each)?.label ?? each}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      />
    );
  }
  return (
    <TextField
      {...helped}
      {...(placeholder !== undefined && { placeholder })}
      {...(kind === 'list' && { rows: 2 })}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      isMonospace={kind !== 'text' && kind !== 'number'}
      value={textOf(value)}
      error={error}
      onChange={(text) => onChange(text.trim() === '' ? field.empty : readTyped(kind, text))}
    />
  );
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

function readTyped(kind: Field['kind'], text: string): unknown {
  if (kind === 'list') return text.split('\n');
  if (kind === 'number') return readNumber(text);
  return text;
}
