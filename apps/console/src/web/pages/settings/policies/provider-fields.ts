import type { Words } from '../../../texts/define-texts.ts';
import type { Field } from './policy-field.tsx';
import type { providerTexts } from './provider-texts.ts';

type Texts = Words<typeof providerTexts>;

export function deviceFields(texts: Texts): Field[] {
  return [{ path: ['device'], kind: 'flag', label: texts.device, help: texts.deviceHelp, standard: true }];
}

export function steamFields(texts: Texts): Field[] {
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

export function itchIoFields(texts: Texts): Field[] {
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

export function discordFields(texts: Texts): Field[] {
  return [
    { path: ['discord', 'applicationId'], kind: 'text', label: texts.applicationId },
    addressField('discord', 'https://discord.com', texts),
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

export function presetOf(id: string): string | undefined {
  return Object.hasOwn(presets, id) ? id : undefined;
}

/** The claim that a preset requires. */
export function requiredClaim(preset: unknown): string | null {
  return preset === 'eosConnect' ? 'pfdid' : null;
}

/** Every member of a connection. `claims` are those that have a field. */
export function openIdFields(path: readonly string[], texts: Texts, claims: readonly string[]): Field[] {
  return [
    {
      path: [...path, 'preset'],
      kind: 'choice',
      label: texts.preset,
      help: texts.presetHelp,
      choices: [
        { value: '', label: texts.presetNone },
        ...Object.entries(presets).map(([value, label]) => ({ value, label })),
      ],
    },
    { path: [...path, 'clientIds'], kind: 'list', label: texts.clientIds, help: texts.clientIdsHelp },
    { path: [...path, 'issuers'], kind: 'list', label: texts.issuers, help: texts.issuersHelp },
    {
      path: [...path, 'authorizedParties'],
      kind: 'list',
      label: texts.parties,
      help: texts.partiesHelp,
    },
    { path: [...path, 'jwksUri'], kind: 'text', label: texts.jwksUri, help: texts.jwksUriHelp },
    { path: [...path, 'algorithms'], kind: 'list', label: texts.algorithms, help: texts.algorithmsHelp },
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
    ...claims.map((claim) => claimField([...path, 'claims', claim], claim, texts)),
  ];
}

function claimField(path: readonly string[], claim: string, texts: Texts): Field {
  return {
    path,
    kind: 'text',
    label: texts.claim(claim),
    help: claim === 'pfdid' ? texts.claimPfdidHelp : texts.claimHelp,
  };
}
