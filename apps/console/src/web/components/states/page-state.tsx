import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { isForbidden, isMissing, toProblem } from '../../api/problem.ts';
import { Icon, type IconName } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { commonTexts } from '../../texts/common-texts.ts';
import { faultText, problemText } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../button.tsx';

interface PageStateProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
  /** Shown instead of the children when `isEmpty` says so. */
  readonly empty?: ReactNode;
  /** The default is that the list, or its `results`, has no rows. */
  readonly isEmpty?: (data: T) => boolean;
  readonly skeletonLines?: number;
  /** Whether it is a question about events, which can take long. */
  readonly isQuestion?: boolean;
}

/**
 * The states of what is loaded: loading, failed, forbidden, empty, shown. Loaded data stays on the page while it is
 * loaded again, and also when that fails.
 */
export function PageState<T>({
  query,
  children,
  empty,
  isEmpty = hasNoRows,
  skeletonLines,
  isQuestion = false,
}: PageStateProps<T>): ReactNode {
  const texts = useTexts(commonTexts);
  const { data, error } = query;
  const slow = isQuestion && <SlowNote isLoading={query.isFetching} />;
  if (data === undefined) {
    if (error === null) {
      return (
        <>
          {slow}
          <Skeleton lines={skeletonLines ?? 6} />
        </>
      );
    }
    if (isMissing(error))
      return <EmptyState icon="search" title={texts.missingTitle} text={texts.notFoundAdvice} />;
    if (isForbidden(error))
      return <EmptyState icon="lock" title={texts.forbiddenPart} text={texts.forbiddenAdvice} />;
    return <Failed error={error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {slow}
      {error !== null && <Failed error={error} onRetry={() => void query.refetch()} />}
      {empty !== undefined && isEmpty(data) ? empty : children(data)}
    </>
  );
}

function hasNoRows(data: unknown): boolean {
  const rows: unknown = Array.isArray(data) ? data : Object(data).results;
  return Array.isArray(rows) && rows.length === 0;
}

export function Skeleton({ lines }: { readonly lines: number }): ReactNode {
  const texts = useTexts(commonTexts);
  return (
    <div role="status" aria-label={texts.loading} className="flex flex-col gap-2 p-1">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={index} className={`skeleton h-5 ${widths[index % widths.length] ?? ''}`} />
      ))}
    </div>
  );
}

const widths = ['w-full', 'w-11/12', 'w-4/5', 'w-full', 'w-3/4', 'w-5/6'];

export function Failed({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry: () => void;
}): ReactNode {
  const texts = useTexts(commonTexts);
  return (
    <div className="flex flex-wrap items-center gap-3 py-2">
      <ProblemNote problem={error} />
      <Button icon="refresh-cw" onPress={onRetry}>
        {texts.retry}
      </Button>
    </div>
  );
}

export function Forbidden(): ReactNode {
  const texts = useTexts(commonTexts);
  return <EmptyState icon="lock" title={texts.forbiddenTitle} text={texts.forbiddenAdvice} />;
}

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  /** What to do next: a button, a command. */
  readonly children?: ReactNode;
}

/** Shown instead of content that does not exist yet or is hidden: names the content, and the next step. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps): ReactNode {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon name={icon} size={24} className="text-soft" />
      <h2 className="text-lg font-semibold">{title}</h2>
      {text !== undefined && <p className="text-soft">{text}</p>}
      {children}
    </div>
  );
}

/** After this time the user wants to know why. */
export const longMs = 7_000;

/** Says why an answer takes long, once it does. */
function SlowNote({ isLoading }: { readonly isLoading: boolean }): ReactNode {
  const texts = useTexts(commonTexts);
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setLong(true), longMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isLoading]);
  return isLong ? (
    <p role="status" className="py-1 text-soft">
      {texts.takesLong}
    </p>
  ) : null;
}

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
