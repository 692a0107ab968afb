import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import { type Group, PolicyForm } from './policy-form.tsx';
import { asObject, type PolicyValue, valueAt } from './policy-values.ts';
import {
  deviceFields,
  discordFields,
  itchIoFields,
  openIdFields,
  presetOf,
  requiredClaim,
  steamFields,
} from './provider-fields.ts';
import { providerTexts } from './provider-texts.ts';
import { type Policy, usePolicy } from './use-policy.ts';

/** The platforms through which players sign in. */
export function ProvidersForm(): ReactNode {
  const texts = useTexts(providerTexts);
  const policy = usePolicy('providers');
  const platforms = usePlatformGroups();
  const connections = useConnectionGroups(policy);
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

function usePlatformGroups(): Group[] {
  const texts = useTexts(providerTexts);
  return [
    { id: 'device', isFramed: true, fields: deviceFields(texts) },
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
      fields: discordFields(texts),
    },
  ];
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
      fields: openIdFields(path, texts, claimsOf(policy.value, path)),
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

/** The claims with a field: those that are set, and the one that the issuer requires. */
function claimsOf(value: PolicyValue, path: readonly string[]): string[] {
  const required = requiredClaim(valueAt(value, [...path, 'preset']));
  const set = Object.keys(asObject(valueAt(value, [...path, 'claims'])));
  return [...new Set([...(required === null ? [] : [required]), ...set])];
}
