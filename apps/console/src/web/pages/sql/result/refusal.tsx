import type { ReactNode } from 'react';
import type { Problem } from '../../../api/problem.ts';
import { Button } from '../../../components/button.tsx';
import { ProblemNote } from '../../../components/states/problem-note.tsx';
import { Icon } from '../../../look/icon.tsx';
import { usePreferences } from '../../../look/preferences.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { Place } from '../statement/locate-fault.ts';
import { faultAdvice, faultIn } from './fault-advice.ts';

interface RefusalProps {
  readonly problem: Problem;
  readonly sql: string;
  readonly place: Place | null;
  readonly onShow: (place: Place) => void;
}

/** Why a statement did not run: what the server says, where in the statement, and what to do. */
export function Refusal({ problem, sql, place, onShow }: RefusalProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const advice = useTexts(faultAdvice);
  const fault = faultIn(problem.data);
  const { language } = usePreferences();
  if (fault === null) return <OtherProblem problem={problem} />;
  const sentence = (
    <span lang="en" className="foreign">
      {sentenceOf(fault.message)}
    </span>
  );
  return (
    <div role="alert" className="flex gap-2 rounded-lg border border-bad bg-panel px-3 py-2">
      <Icon name="circle-alert" className="mt-0.5 text-bad" />
      <div className="flex min-w-0 flex-col gap-1">
        <span className="foreign font-medium">
          {language === 'en' ? sentence : advice[fault.reason]}
          <span className="ml-2 font-mono text-sm font-normal text-soft">{problem.code}</span>
        </span>
        {/* The server writes English. */}
        {language === 'en' ? (
          <span>{advice[fault.reason]}</span>
        ) : (
          <span className="text-soft">{sentence}</span>
        )}
        {place !== null && (
          <span className="flex flex-wrap items-center gap-x-3">
            <span className="text-soft">{placeText(sql, place, texts.faultPlace)}</span>
            <code className="foreign max-w-80 truncate rounded-sm bg-raised px-1 font-mono text-sm">
              {sql.slice(place.from, place.to)}
            </code>
            <Button look="quiet" icon="arrow-up" onPress={() => onShow(place)}>
              {texts.showPlace}
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}

/** With a capital letter, unless it begins with a name of the statement, such as `file()`. */
function sentenceOf(message: string): string {
  return /^[a-z]+ /.test(message) ? message[0]?.toUpperCase() + message.slice(1) : message;
}

function OtherProblem({ problem }: { readonly problem: Problem }): ReactNode {
  const texts = useTexts(sqlTexts);
  const { reason, retryAfterSeconds } = problem;
  return (
    <div className="flex flex-col gap-2">
      <ProblemNote problem={problem} />
      {reason === 'temporarilyUnavailable' && <p className="text-soft">{texts.unavailable}</p>}
      {reason === 'rateLimited' && (
        <p className="text-soft">
          {texts.busy} {retryAfterSeconds !== null && texts.busyUntil(String(retryAfterSeconds))}
        </p>
      )}
    </div>
  );
}

function placeText(sql: string, { from }: Place, write: (line: string, column: string) => string): string {
  const before = sql.slice(0, from).split('\n');
  return write(String(before.length), String((before.at(-1) ?? '').length + 1));
}
