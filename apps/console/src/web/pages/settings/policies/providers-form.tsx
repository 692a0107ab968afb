import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import type { Field } from './policy-field.tsx';
import { type Group, PolicyForm } from './policy-form.tsx';
import { asObject } from './policy-values.ts';
import { providerTexts } from './provider-texts.ts';
import { usePolicy } from './use-policy.ts';

/** The platforms through which players sign in. */
export function ProvidersForm(): ReactNode {
  const texts = useTexts(providerTexts);
  const policy = usePolicy('providers');
  const openIdGroup = useOpenIdGroup();
  const platforms = usePlatformGroups();
  const connections = Object.keys(asObject(policy.value['openId'])).map(openIdGroup);
  return (
    <PolicyForm title={texts.title} help={texts.help} policy={policy} groups={[...platforms, ...connections]}>
      <AddEntry
        label={texts.addOpenId}
        help={texts.addOpenIdHelp}
        onAdd={(id) => policy.set(['openId', id], { preset: presetOf(id), clientIds: [] })}
      />
    </PolicyForm>
  );
}

type Texts = (typeof providerTexts)['en' | 'de'];

function usePlatformGroups(): Group[] {
  const texts = useTexts(providerTexts);
  return [
    {
      id: 'device',
      fields: [
        { path: ['device'], kind: 'flag', label: texts.device, help: texts.deviceHelp, standard: true },
      ],
    },
    {
      id: 'steam',
      title: texts.steam,
      help: texts.steamHelp,
      switchPath: ['steam'],
      fields: steamFields(texts),
    },
    {
      id: 'itchIo',
      title: texts.itchIo,
      help: texts.itchIoHelp,
      switchPath: ['itchIo'],
      fields: itchIoFields(texts),
    },
    {
      id: 'discord',
      title: texts.discord,
      help: texts.discordHelp,
      switchPath: ['discord'],
      fields: [
        { path: ['discord', 'applicationId'], kind: 'text', label: texts.applicationId },
        addressField('discord', 'https://discord.com', texts),
      ],
    },
  ];
}

function steamFields(texts: Texts): Field[] {
  return [
    {
      path: ['steam', 'publisherKey'],
      kind: 'secret',
      label: texts.publisherKey,
      help: texts.secretHelp,
    },
    { path: ['steam', 'appIds'], kind: 'list', label: texts.appIds, help: texts.onePerLine },
    { path: ['steam', 'identity'], kind: 'text', label: texts.identity, help: texts.identityHelp },
    {
      path: ['steam', 'familySharing'],
      kind: 'choice',
      label: texts.sharing,
      help: texts.sharingHelp,
      standard: 'allow',
      choices: [
        { value: 'allow', label: texts.sharingAllow },
        { value: 'refuse', label: texts.sharingRefuse },
      ],
    },
    addressField('steam', 'https://partner.steam-api.com', texts),
    {
      path: ['steam', 'profile'],
      kind: 'flag',
      label: texts.profile,
      help: texts.profileHelp,
      standard: true,
    },
  ];
}

function itchIoFields(texts: Texts): Field[] {
  return [
    { path: ['itchIo', 'gameId'], kind: 'text', label: texts.gameId },
    { path: ['itchIo', 'developerKey'], kind: 'secret', label: texts.developerKey, help: texts.secretHelp },
    addressField('itchIo', 'https://itch.io', texts),
    {
      path: ['itchIo', 'oauthKeys'],
      kind: 'flag',
      label: texts.oauthKeys,
      help: texts.oauthKeysHelp,
      standard: true,
    },
  ];
}

function addressField(provider: string, placeholder: string, texts: Texts): Field {
  return {
    path: [provider, 'address'],
    kind: 'text',
    label: texts.address,
    help: texts.addressHelp,
    placeholder,
  };
}

const presets = {
  google: 'Google',
  apple: 'Apple',
  epicGames: 'Epic Games',
  eosConnect: 'Epic Online Services',
  nintendo: 'Nintendo',
} as const;

function presetOf(id: string): string | undefined {
  return Object.hasOwn(presets, id) ? id : undefined;
}

function useOpenIdGroup(): (id: string) => Group {
  const texts = useTexts(providerTexts);
  return (id) => ({
    id: `openId ${id}`,
    title: texts.openIdName(id),
    help: texts.openIdHelp,
    removePath: ['openId', id],
    fields: openIdFields(['openId', id], texts),
  });
}

function openIdFields(path: readonly string[], texts: Texts): Field[] {
  return [
    {
      path: [...path, 'preset'],
      kind: 'choice',
      label: texts.preset,
      choices: [
        { value: '', label: texts.presetNone },
        ...Object.entries(presets).map(([value, label]) => ({ value, label })),
      ],
    },
    { path: [...path, 'clientIds'], kind: 'list', label: texts.clientIds, help: texts.onePerLine },
    { path: [...path, 'issuers'], kind: 'list', label: texts.issuers, help: texts.issuersHelp },
    { path: [...path, 'jwksUri'], kind: 'text', label: texts.jwksUri, help: texts.jwksUriHelp },
    {
      path: [...path, 'nonce'],
      kind: 'choice',
      label: texts.nonce,
      help: texts.nonceHelp,
      standard: 'whenPresent',
      choices: [
        { value: 'whenPresent', label: texts.nonceWhenPresent },
        { value: 'required', label: texts.nonceRequired },
        { value: 'ignored', label: texts.nonceIgnored },
      ],
    },
    { path: [...path, 'maxAgeSeconds'], kind: 'number', label: texts.maxAge, help: texts.maxAgeHelp },
    {
      path: [...path, 'singleUse'],
      kind: 'flag',
      label: texts.singleUse,
      help: texts.singleUseHelp,
      standard: false,
    },
  ];
}
