import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { usePreferences } from '../../look/preferences.ts';
import { germanFor } from '../../texts/define-texts.ts';

interface ChangeListProps {
  readonly changes: AnswerOf<'GET /v1/event-types/{name}/difference'>['changes'];
}

/** What differs between two declarations. What breaks clients stands out. */
export function ChangeList({ changes }: ChangeListProps): ReactNode {
  const { language } = usePreferences();
  return (
    <ul className="flex flex-col gap-1">
      {changes.map((each) => (
        <li
          key={`${each.pointer} ${each.change} ${each.message}`}
          className={`foreign ${each.kind === 'breaking' ? 'text-bad' : 'text-soft'}`}
        >
          <code className="font-mono text-sm">{each.pointer || '/'}</code>{' '}
          {germanFor(language)?.changeGerman(each) ?? each.message}
        </li>
      ))}
    </ul>
  );
}
