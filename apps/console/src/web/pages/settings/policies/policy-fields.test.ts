import { policySchemas } from '@tickrate/contract';
import { expect, test } from 'vitest';
import { policyTexts } from './policy-texts.ts';
import { deviceFields, discordFields, itchIoFields, openIdFields, steamFields } from './provider-fields.ts';
import { providerTexts } from './provider-texts.ts';
import { accountFields, flagFields } from './sessions-form.tsx';

const names = (schema: { readonly properties: object }, ...path: string[]) =>
  Object.keys(schema.properties).map((name) => [...path, name].join('.'));
const paths = (fields: readonly { readonly path: readonly string[] }[]) =>
  fields.map(({ path }) => path.join('.'));

// Invariant (Management): Every member of the policies `providers` and `sessions` has a field in the
// settings
test('every member of the policy providers has a field', () => {
  const { steam, itchIo, discord, openId } = policySchemas.providers.properties;
  const texts = providerTexts.english;
  const [openIdSchema] = Object.values(openId.patternProperties);
  expect(Object.keys(policySchemas.providers.properties).toSorted()).toEqual([
    'device',
    'discord',
    'itchIo',
    'openId',
    'steam',
  ]);
  expect(paths(deviceFields(texts))).toEqual(['device']);
  expect(paths(steamFields(texts)).toSorted()).toEqual(names(steam, 'steam').toSorted());
  expect(paths(itchIoFields(texts)).toSorted()).toEqual(names(itchIo, 'itchIo').toSorted());
  expect(paths(discordFields(texts)).toSorted()).toEqual(names(discord, 'discord').toSorted());
  const fields = openIdFields(['id'], texts, ['pfdid']);
  expect(
    paths(fields)
      .map((path) => path.replace('.pfdid', ''))
      .toSorted(),
  ).toEqual(names(openIdSchema ?? { properties: {} }, 'id').toSorted());
});

test('every member of the policy sessions has a field', () => {
  const { registration, terms: _terms, ...flat } = policySchemas.sessions.properties;
  const texts = policyTexts.english;
  expect(paths([...accountFields(texts), ...flagFields(texts)]).toSorted()).toEqual(
    [...names({ properties: flat }), ...names(registration, 'registration')].toSorted(),
  );
});
