import type { ReactNode } from 'react';
import { toProblem } from '../../api/problem.ts';
import { Icon } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { commonTexts } from '../../texts/common-texts.ts';
import { faultText } from '../../texts/fault-texts.ts';
import { problemText } from '../../texts/problem-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** A problem in the words of the error catalogue, beside what it concerns. */
export function ProblemNote({ problem: error }: { readonly problem: Error | null }): ReactNode {
  const texts = useTexts(commonTexts);
  const { language } = usePreferences();
  if (error === null) return null;
  const problem = toProblem(error);
  // The whole page shows it, with the way back.
  if (problem.reason === 'sessionInOtherProject') return null;
  return (
    <div role="alert" className="flex gap-2 rounded-md border border-bad bg-panel px-3 py-2">
      <Icon name="circle-alert" className="mt-0.5 text-bad" />
      <div className="flex min-w-0 flex-col">
        <span className="foreign font-medium">
          {problemText(problem, language)}
          {problem.code !== null && (
            <span className="ml-2 font-mono text-sm font-normal text-soft">{problem.code}</span>
          )}
        </span>
        {/* It repeats the first of the faults. */}
        {problem.fields !== null && problem.faults.length === 0 && (
          <span className="foreign text-soft">{problem.fields}</span>
        )}
        {problem.faults.map((fault) => (
          <span key={`${fault.location} ${fault.message}`} className="text-soft">
            <FaultText {...fault} />
          </span>
        ))}
        {problem.requestId !== null && problem.status >= 500 && (
          <span className="text-sm text-soft">{texts.requestId(problem.requestId)}</span>
        )}
      </div>
    </div>
  );
}

interface FaultTextProps {
  /** Where it is: a JSON pointer. Null where that is not known. */
  readonly location: string | null;
  readonly message: string;
  readonly reason?: string;
}

/** What is wrong with a part of a document, in the language of the page. */
export function FaultText({ location, ...fault }: FaultTextProps): ReactNode {
  const { language } = usePreferences();
  return (
    <span className="foreign">
      {location !== null && <code className="font-mono text-sm">{location || '/'}</code>}{' '}
      {faultText(fault, language)}
    </span>
  );
}
