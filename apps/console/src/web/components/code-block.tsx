import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** The same code with a part of it marked. */
  readonly children?: ReactNode;
  /** What it is, for screen readers and the copy button. */
  readonly label: string;
  readonly isWrapped?: boolean;
}

/** Commands and documents, exactly as they are copied. */
export function CodeBlock({ code, children = code, label, isWrapped = false }: CodeBlockProps): ReactNode {
  return (
    <div className="flex items-start rounded-md border bg-ground">
      <section tabIndex={0} aria-label={label} className="max-h-96 min-w-0 flex-1 overflow-auto p-2">
        <pre className={`font-mono text-sm ${isWrapped ? 'foreign whitespace-pre-wrap' : ''}`}>
          {children}
        </pre>
      </section>
      <div className="p-1">
        <CopyButton text={code} />
      </div>
    </div>
  );
}
