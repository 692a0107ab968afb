import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { Badge } from '../../components/badge.tsx';
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

export function breaks(changes: ChangeListProps['changes']): boolean {
  return changes.some(({ kind }) => kind === 'breaking');
}

interface DifferenceProps extends ChangeListProps {
  readonly isUnchanged: boolean;
  readonly words: Readonly<Record<'unchanged' | 'compatible' | 'breaking', string>>;
  /** More about the verdict. */
  readonly children?: ReactNode;
}

/** The verdict on a difference, and its changes. */
export function Difference({ changes, isUnchanged, words, children }: DifferenceProps): ReactNode {
  const verdict = breaks(changes) ? 'breaking' : 'compatible';
  return (
    <div role="status" className="flex flex-col gap-2">
      <span>
        <Badge tone={verdict === 'breaking' ? 'bad' : 'accent'}>
          {words[isUnchanged ? 'unchanged' : verdict]}
        </Badge>
      </span>
      {children}
      <ChangeList changes={changes} />
    </div>
  );
}
