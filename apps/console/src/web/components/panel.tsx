import { type ReactNode, useEffect, useRef } from 'react';

interface PanelProps {
  readonly title?: string;
  /** Where links to it lead. */
  readonly id?: string;
  /** Beside the title: buttons, a legend. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Whether the content touches the border, as a table does. */
  readonly isFlush?: boolean;
}

export function Panel({
  title,
  id,
  actions,
  children,
  className = '',
  isFlush = false,
}: PanelProps): ReactNode {
  const section = useRef<HTMLElement>(null);
  // The panel may be loaded after the page that the link opened.
  useEffect(() => {
    if (id !== undefined && location.hash === `#${id}`) section.current?.scrollIntoView();
  }, [id]);
  return (
    <section
      id={id}
      ref={section}
      aria-label={title}
      className={`flex min-w-0 scroll-mt-14 flex-col rounded-lg border bg-panel ${className}`}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-2 px-3 py-1">
          <h2 className="font-semibold">{title}</h2>
          {actions !== undefined && (
            <div className="flex min-w-0 flex-wrap items-center gap-1">{actions}</div>
          )}
        </div>
      )}
      <div
        className={`min-h-0 min-w-0 flex-1 ${isFlush ? '' : 'px-3 pb-3'} ${title === undefined && !isFlush ? 'pt-3' : ''}`}
      >
        {children}
      </div>
    </section>
  );
}
