import type { ReactNode } from 'react';
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
