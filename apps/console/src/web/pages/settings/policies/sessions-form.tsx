import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/use-texts.ts';
import { AddEntry } from './add-entry.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policyTexts } from './policy-texts.ts';
import { asObject } from './policy-values.ts';
import { fieldsOf, schemaOf } from './schema-fields.ts';
import { usePolicy } from './use-policy.ts';

/** How players sign in, whatever platform they come from. */
export function SessionsForm(): ReactNode {
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
