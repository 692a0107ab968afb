import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';

interface ChangeListProps {
  readonly changes: AnswerOf<'GET /v1/event-types/{name}/difference'>['changes'];
}

/** What differs between two declarations. What breaks clients stands out. */
export function ChangeList({ changes }: ChangeListProps): ReactNode {
  return (
    <ul className="flex flex-col gap-1">
      {changes.map(({ pointer, change, kind, message }) => (
        <li
          key={`${pointer} ${change} ${message}`}
          className={`foreign ${kind === 'breaking' ? 'text-bad' : 'text-soft'}`}
        >
          <code className="font-mono text-sm">{pointer || '/'}</code> {message}
        </li>
      ))}
    </ul>
  );
}
