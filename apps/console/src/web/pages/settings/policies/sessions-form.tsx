import type { ReactNode } from 'react';
import type { Words } from '../../../texts/define-texts.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import type { Field } from './policy-field.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyTexts } from './policy-texts.ts';
import { asObject } from './policy-values.ts';
import { usePolicy } from './use-policy.ts';

/** How players sign in, whatever platform they come from. */
export function SessionsForm(): ReactNode {
  const texts = useTexts(policyTexts);
  const policy = usePolicy('sessions');
  const terms = Object.keys(asObject(policy.value['terms'])).map((id) => ({
    id: `terms ${id}`,
    title: id,
    help: texts.termsHelp,
    removePath: ['terms', id],
    fields: [{ path: ['terms', id], kind: 'text', label: texts.terms(id) } as const],
  }));
  return (
    <PolicyForm
      title={texts.sessions}
      help={texts.sessionsHelp}
      policy={policy}
      groups={[
        { id: 'accounts', fields: accountFields(texts) },
        { id: 'flags', fields: flagFields(texts) },
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

type Texts = Words<typeof policyTexts>;

export function accountFields(texts: Texts): Field[] {
  const ask = { value: 'ask', label: texts.tokensAsk };
  const closed = { value: 'closed', label: texts.tokensClosed };
  return [
    {
      path: ['registration', 'tokens'],
      kind: 'choice',
      label: texts.tokens,
      standard: 'auto',
      choices: [{ value: 'auto', label: texts.tokensAuto }, ask, closed],
    },
    {
      path: ['registration', 'email'],
      kind: 'choice',
      label: texts.emails,
      standard: 'ask',
      choices: [ask, closed],
    },
    {
      path: ['linking'],
      kind: 'choice',
      label: texts.linking,
      help: texts.linkingHelp,
      standard: 'ask',
      choices: [
        { value: 'ask', label: texts.linkingAsk },
        { value: 'auto', label: texts.linkingAuto },
        { value: 'never', label: texts.linkingNever },
      ],
    },
  ];
}

export function flagFields(texts: Texts): Field[] {
  const flag = { kind: 'flag', standard: false } as const;
  return [
    {
      ...flag,
      path: ['passwordSignIn'],
      label: texts.passwordSignIn,
      help: texts.passwordSignInHelp,
      standard: true,
    },
    { ...flag, path: ['requireVerifiedEmail'], label: texts.verified, help: texts.verifiedHelp },
    { ...flag, path: ['requireSecondFactor'], label: texts.secondFactor, help: texts.secondFactorHelp },
    { ...flag, path: ['askMarketing'], label: texts.marketing, help: texts.marketingHelp },
  ];
}
