import type { ReactNode } from 'react';

interface PanelProps {
  readonly title?: string;
  /** Beside the title: buttons, a legend. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  /** Whether the content touches the border, as a table does. */
  readonly isFlush?: boolean;
}

/** A part of a page with one subject. */
export function Panel({ title, actions, children, className = '', isFlush = false }: PanelProps): ReactNode {
  return (
    <section aria-label={title} className={`flex min-w-0 flex-col rounded-lg border bg-panel ${className}`}>
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
