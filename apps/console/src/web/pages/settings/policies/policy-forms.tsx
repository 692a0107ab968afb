import type { ReactNode } from 'react';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import { type Group, PolicyForm } from './policy-form.tsx';
import { policyTexts, providerTexts } from './policy-texts.ts';
import { asObject, valueAt } from './policy-values.ts';
import { fieldsOf, schemaOf } from './schema-fields.ts';
import { type Policy, usePolicy } from './use-policy.ts';

export function SignInForms(): ReactNode {
  return (
    <>
      <SessionsForm />
      <ProvidersForm />
    </>
  );
}

/** The platforms through which players sign in. */
function ProvidersForm(): ReactNode {
  const texts = useTexts(providerTexts);
  const policy = usePolicy('providers');
  return (
    <PolicyForm
      title={texts.title}
      help={texts.help}
      policy={policy}
      groups={[...usePlatformGroups(), ...useConnectionGroups(policy)]}
    >
      <AddEntry
        label={texts.addOpenId}
        help={texts.addOpenIdHelp}
        onAdd={(id) => policy.set(['openId', id], { preset: presetOf(id), clientIds: [] })}
      />
    </PolicyForm>
  );
}

function usePlatformGroups(): Group[] {
  const texts = useTexts(providerTexts);
  const { device, steam, itchIo, discord } = schemaOf('providers').properties;
  const words = { ...texts, publisherKeyHelp: texts.secretHelp, developerKeyHelp: texts.secretHelp };
  const platforms = Object.entries({ steam, itchIo, discord }).map(([name, schema]) => ({
    id: name,
    title: texts[name as 'steam' | 'itchIo' | 'discord'],
    help: texts[`${name as 'steam' | 'itchIo' | 'discord'}Help`],
    switchPath: [name],
    fields: fieldsOf(schema, [name], words),
  }));
  return [
    { id: 'device', isFramed: true, fields: fieldsOf({ properties: { device } }, [], words) },
    ...platforms,
  ];
}

function openIdSchema() {
  const [schema] = Object.values(schemaOf('providers').properties.openId.patternProperties);
  return schema ?? { properties: {} };
}

/** The names of the presets, which no language translates. */
const presetNames = {
  presetGoogle: 'Google',
  presetApple: 'Apple',
  presetEpicGames: 'Epic Games',
  presetEosConnect: 'Epic Online Services',
  presetNintendo: 'Nintendo',
} as const;

/** A connection with the name of a preset begins with it. */
function presetOf(id: string): string | undefined {
  const [preset] = fieldsOf(openIdSchema(), [], {});
  return preset?.choices?.find(({ value }) => value !== '' && value === id)?.value;
}

function useConnectionGroups(policy: Policy): Group[] {
  const texts = useTexts(providerTexts);
  return Object.keys(asObject(policy.value['openId'])).map((id) => {
    const path = ['openId', id];
    return {
      id: `openId ${id}`,
      title: texts.openIdName(id),
      help: texts.openIdHelp,
      removePath: path,
      fields: [
        ...fieldsOf(openIdSchema(), path, { ...texts, ...presetNames }),
        ...claimsOf(valueAt(policy.value, path)).map((claim) => ({
          path: [...path, 'claims', claim],
          kind: 'text' as const,
          label: texts.claim(claim),
          help: claim === requiredOfEos ? texts.claimPfdidHelp : texts.claimHelp,
        })),
      ],
      footer: (
        <AddEntry
          label={texts.addClaim}
          help={texts.addClaimHelp}
          onAdd={(claim) => policy.set([...path, 'claims', claim], '')}
        />
      ),
    };
  });
}

const requiredOfEos = 'pfdid';

/** The claims with a field: those that are set, and the one that the issuer requires. */
function claimsOf(connection: unknown): string[] {
  const { preset, claims } = asObject(connection);
  const required = preset === 'eosConnect' ? [requiredOfEos] : [];
  return [...new Set([...required, ...Object.keys(asObject(claims))])];
}

/** How players sign in, whatever platform they come from. */
function SessionsForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const policy = usePolicy('sessions');
  const fields = fieldsOf(schemaOf('sessions'), [], texts);
  const terms = Object.keys(asObject(policy.value['terms'])).map((id) => ({
    id: `terms ${id}`,
    title: id,
    help: texts.termsHelp,
    removePath: ['terms', id],
    fields: [{ path: ['terms', id], kind: 'text', label: texts.versionOf(id) } as const],
  }));
  return (
    <PolicyForm
      title={texts.sessions}
      help={texts.sessionsHelp}
      policy={policy}
      groups={[
        { id: 'accounts', fields: fields.filter(({ kind }) => kind === 'choice') },
        { id: 'flags', fields: fields.filter(({ kind }) => kind === 'flag') },
        ...terms,
      ]}
    >
      <AddEntry
        label={texts.addTerms}
        help={texts.addTermsHelp}
        onAdd={(id) => policy.set(['terms', id], '1')}
      />
    </PolicyForm>
  );
}

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
