import { createElement, type ReactNode } from 'react';
import { type IconName, icons } from './icons.ts';

interface IconProps {
  readonly name: IconName;
  /** In pixels. The default is 16. */
  readonly size?: number;
  readonly className?: string;
}

/** An icon beside a text. It has no meaning of its own: a button with only an icon has an `aria-label`. */
export function Icon({ name, size = 16, className }: IconProps): ReactNode {
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${className ?? ''}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {icons[name].map(([tag, attributes]) =>
        createElement(tag, { ...attributes, key: JSON.stringify(attributes) }),
      )}
    </svg>
  );
}
