import type { ReactNode } from 'react';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyTexts } from './policy-texts.ts';
import { asObject, valueAt } from './policy-values.ts';
import { fieldsOf, schemaOf } from './schema-fields.ts';
import { type Policy, usePolicy } from './use-policy.ts';

export function LimitForms(): ReactNode {
  const texts = useTexts(policyTexts);
  return (
    <>
      <PlainForm name="rates" unset={texts.standard} />
      <PlainForm name="quotas" unset={texts.noQuota} />
      <RetentionForm />
      <PlainForm name="erasure" />
    </>
  );
}

interface PlainFormProps {
  readonly name: 'rates' | 'quotas' | 'erasure';
  /** What an empty field means. */
  readonly unset?: string;
}

/** A policy whose members need nothing but a field each. */
function PlainForm({ name, unset }: PlainFormProps): ReactNode {
  const texts = useTexts(policyTexts);
  return (
    <PolicyForm
      title={texts[name]}
      help={texts[`${name}Help`]}
      policy={usePolicy(name)}
      groups={[{ id: name, fields: fieldsOf(schemaOf(name), [], { ...texts, unset }) }]}
    />
  );
}

/** Here null is a value, forever, and an absent number is the default of the installation. */
function RetentionForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const policy = usePolicy('retention');
  const kept = valueAt(policy.value, ['days']);
  const choice = keptAs(kept);
  const days = { path: ['days'], kind: 'number', label: texts.days, empty: '' } as const;
  const types = Object.keys(asObject(policy.value['types'])).map((type) => ({
    id: `type ${type}`,
    title: type,
    removePath: ['types', type],
    fields: [
      {
        path: ['types', type],
        kind: 'number',
        label: texts.keepType(type),
        placeholder: texts.forever,
        empty: null,
      } as const,
    ],
  }));
  return (
    <PolicyForm
      title={texts.retention}
      help={texts.retentionHelp}
      policy={policy}
      groups={[...(choice === 'days' ? [{ id: 'all', fields: [days] }] : []), ...types]}
      lead={<KeepField policy={policy} choice={choice} />}
    >
      <AddEntry
        label={texts.addType}
        help={texts.addTypeHelp}
        onAdd={(type) => policy.set(['types', type], null)}
      />
    </PolicyForm>
  );
}

function keptAs(days: unknown): keyof typeof keptDays {
  if (days === undefined) return 'standard';
  return days === null ? 'forever' : 'days';
}

const keptDays = { standard: undefined, forever: null, days: 90 } as const;

interface KeepFieldProps {
  readonly policy: Policy;
  readonly choice: keyof typeof keptDays;
}

function KeepField({ policy, choice }: KeepFieldProps): ReactNode {
  const texts = useTexts(policyTexts);
  return (
    <SelectField
      label={texts.keepAll}
      className="w-full sm:w-[calc(50%-8px)]"
      value={choice}
      choices={['standard', 'forever', 'days']}
      labelOf={(each) =>
        ({ standard: texts.keepStandard, forever: texts.keepForever, days: texts.keepDays })[each]
      }
      onChange={(chosen) => policy.set(['days'], keptDays[chosen])}
    />
  );
}
