import { policySchemas } from '@tickrate/contract';
import { expect, test } from 'vitest';
import { policyGerman, providerGerman } from './policy-german.ts';
import { policyTexts, providerTexts } from './policy-texts.ts';
import { fieldsOf } from './schema-fields.ts';

const { rates, quotas, erasure, sessions, providers } = policySchemas;
const [connection = { properties: {} }] = Object.values(providers.properties.openId.patternProperties);
const { device, steam, itchIo, discord } = providers.properties;
const platforms = { properties: { device, steam, itchIo, discord, connection } };

// Invariant (Management): Every member of the policies has a field in the settings, with its words in each
// language
test.each([
  ['rates', rates, [policyTexts.english, policyGerman], 3],
  ['quotas', quotas, [policyTexts.english, policyGerman], 2],
  ['erasure', erasure, [policyTexts.english, policyGerman], 1],
  ['sessions', sessions, [policyTexts.english, policyGerman], 7],
  ['providers', platforms, [providerTexts.english, providerGerman], 22],
])('every member of the policy %s has a field with words', (_name, schema, languages, count) => {
  for (const words of languages) {
    const fields = fieldsOf(schema, [], words);
    expect(fields).toHaveLength(count);
    for (const { path, label, choices = [] } of fields) {
      expect(label).not.toBe(path.at(-1));
      // The names of presets are no words of a language.
      if (path.at(-1) === 'preset') continue;
      for (const { value, label: choice } of choices) expect([value, '']).not.toContain(choice);
    }
  }
});

test('a field has the default and the choices of its schema', () => {
  const fields = fieldsOf(platforms, [], providerTexts.english);
  const of = (name: string) => fields.find(({ path }) => path.at(-1) === name);
  expect(of('device')).toMatchObject({ path: ['device'], kind: 'flag', standard: true });
  expect(of('publisherKey')).toMatchObject({ path: ['steam', 'publisherKey'], kind: 'secret' });
  expect(of('familySharing')).toMatchObject({
    kind: 'choice',
    standard: 'allow',
    choices: [
      { value: 'allow', label: 'Allow borrowed games' },
      { value: 'refuse', label: 'Only owners' },
    ],
  });
  expect(of('nonce')).toMatchObject({ standard: 'whenPresent' });
  expect(of('singleUse')).toMatchObject({ kind: 'flag', standard: false });
  expect(of('address')).toMatchObject({ kind: 'text', placeholder: 'https://partner.steam-api.com' });
});
