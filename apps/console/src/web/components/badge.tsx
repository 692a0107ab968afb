import type { ReactNode } from 'react';

interface BadgeProps {
  readonly tone?: 'plain' | 'accent' | 'bad';
  readonly children: ReactNode;
}

const tones = {
  plain: 'border-line text-soft',
  accent: 'border-accent text-accent',
  bad: 'border-bad text-bad',
} as const;

/** A word of state: `retired`, `banned`, `personal`. */
export function Badge({ tone = 'plain', children }: BadgeProps): ReactNode {
  return (
    <span
      className={`inline-flex h-5 max-w-full items-center truncate rounded-sm border px-1.5 text-sm ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
