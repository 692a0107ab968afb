import { useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';
import { pageAt } from './page-list.ts';

interface PageProps {
  /** The default is the name that the navigation has for it. */
  readonly title?: string;
  /** Beside the title: the page's own filters and buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Every page of a project: its title, which the browser shows too, and its content. */
export function Page({ title: given, actions, children }: PageProps): ReactNode {
  const texts = useTexts(commonTexts);
  // Of the page itself: the location is already that of the next one while this one still shows.
  const page = useMatch({ strict: false, select: ({ pathname }) => pageAt(pathname) });
  const title = given ?? (page === null ? '' : texts[page]);
  useEffect(() => {
    document.title = `${title} · Tickrate`;
  }, [title]);
  return (
    <div className="flex min-h-full flex-col gap-3 p-4">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h1 className="foreign text-xl font-semibold">{title}</h1>
        <div className="no-print flex flex-wrap items-center gap-2">{actions}</div>
      </div>
      {children}
    </div>
  );
}
