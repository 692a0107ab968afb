import { expect, test } from 'vitest';
import { policyFault } from './project-policies.ts';
import { readSessionsPolicy } from './sessions-policy.ts';

const defaults = {
  registration: { tokens: 'auto', email: 'ask' },
  linking: 'ask',
  passwordSignIn: true,
  terms: {},
  askMarketing: false,
  requireVerifiedEmail: false,
  requireSecondFactor: false,
};

// Invariant (Sign-in): A stored policy `sessions` that cannot be read refuses sign-ins instead of
// weakening them
test.each([
  [undefined, {}],
  [{}, {}],
  [{ registration: { email: 'closed' } }, { registration: { tokens: 'auto', email: 'closed' } }],
  [
    { requireSecondFactor: true, terms: { eula: '2' } },
    { requireSecondFactor: true, terms: { eula: '2' } },
  ],
])('the policy %j has every member', (value, members) => {
  const before = structuredClone(value);
  expect(readSessionsPolicy(value)).toEqual({ policy: { ...defaults, ...members } });
  expect(value).toEqual(before);
});

test.each([
  [{ requireSecondFactor: 'true' }, 'requireSecondFactor'],
  [{ linking: 'sometimes' }, 'linking'],
  [{ requireThirdFactor: true }, 'requireThirdFactor'],
  [{ terms: { eula: 2 } }, 'terms.eula'],
])('the policy %j is not read as something weaker', (value, place) => {
  expect(readSessionsPolicy(value)).toMatchObject({ fault: { place } });
  expect(policyFault('sessions', value)).toMatchObject({ place });
});
