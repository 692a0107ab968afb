import type { ReactNode } from 'react';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyTexts } from './policy-texts.ts';
import { asObject, valueAt } from './policy-values.ts';
import { type Policy, usePolicy } from './use-policy.ts';

/** How much the project may send, and how long it is kept. */
export function LimitForms(): ReactNode {
  return (
    <>
      <RatesForm />
      <QuotasForm />
      <RetentionForm />
      <ErasureForm />
    </>
  );
}

function RatesForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const rate = (name: string, label: string, help: string) =>
    ({ path: [name], kind: 'number', label, help, placeholder: texts.standard }) as const;
  const fields = [
    rate('perProject', texts.perProject, texts.perProjectHelp),
    rate('perKey', texts.perKey, texts.perKeyHelp),
    rate('perAddress', texts.perAddress, texts.perAddressHelp),
  ];
  return (
    <PolicyForm
      title={texts.rates}
      help={texts.ratesHelp}
      policy={usePolicy('rates')}
      groups={[{ id: 'rates', fields }]}
    />
  );
}

function QuotasForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const quota = (name: string, label: string) =>
    ({ path: [name], kind: 'number', label, placeholder: texts.noQuota }) as const;
  const fields = [quota('eventsPerDay', texts.perDay), quota('eventsPerMonth', texts.perMonth)];
  return (
    <PolicyForm
      title={texts.quotas}
      help={texts.quotasHelp}
      policy={usePolicy('quotas')}
      groups={[{ id: 'quotas', fields }]}
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
      choices={[
        { value: 'standard', label: texts.keepStandard },
        { value: 'forever', label: texts.keepForever },
        { value: 'days', label: texts.keepDays },
      ]}
      onChange={(chosen) => policy.set(['days'], keptDays[chosen as keyof typeof keptDays])}
    />
  );
}

function ErasureForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const mode = {
    path: ['mode'],
    kind: 'choice',
    label: texts.erasureMode,
    standard: 'remove',
    choices: [
      { value: 'remove', label: texts.erasureRemove },
      { value: 'mask', label: texts.erasureMask },
    ],
  } as const;
  return (
    <PolicyForm
      title={texts.erasure}
      help={texts.erasureHelp}
      policy={usePolicy('erasure')}
      groups={[{ id: 'erasure', fields: [mode] }]}
    />
  );
}
