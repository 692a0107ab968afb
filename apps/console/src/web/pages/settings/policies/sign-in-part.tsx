import type { ReactNode } from 'react';
import { ProvidersForm } from './providers-form.tsx';
import { SessionsForm } from './sessions-form.tsx';

export function SignInPart(): ReactNode {
  return (
    <>
      <SessionsForm />
      <ProvidersForm />
    </>
  );
}
