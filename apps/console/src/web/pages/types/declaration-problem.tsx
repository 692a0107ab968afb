import type { ReactNode } from 'react';
import type { Problem } from '../../api/problem.ts';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { faultText } from '../../texts/fault-texts.ts';

/** Why a declaration is refused, each fault in the language of the page. */
export function DeclarationProblem({ problem }: { readonly problem: Problem }): ReactNode {
  const { language } = usePreferences();
  return <ProblemNote problem={problem} faultText={(message) => faultText({ message }, language)} />;
}
