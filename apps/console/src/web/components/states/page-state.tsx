import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { isForbidden, isMissing } from '../../api/problem.ts';
import { Icon, type IconName } from '../../look/icon.tsx';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../button.tsx';
import { ProblemNote } from './problem-note.tsx';

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
