import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Icon } from '../look/icon.tsx';
import type { IconName } from '../look/icons.ts';
import { type Permission, useMay } from './states/permissions.tsx';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /** `primary`: at most one per view. `danger`: what cannot be undone. `quiet`: beside other things. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Hidden from a role that does not have it. */
  readonly needs?: Permission;
  readonly children?: ReactNode;
  readonly className?: string;
}

const looks = {
  primary: 'border-accent bg-accent text-on-accent data-hovered:opacity-90',
  plain: 'border-edge bg-panel text-ink data-hovered:bg-raised',
  quiet: 'border-transparent bg-transparent text-ink data-hovered:bg-raised',
  danger: 'border-bad bg-panel text-bad data-hovered:bg-raised',
} as const;

const shape =
  'inline-flex h-7 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium data-disabled:opacity-50';

export function Button({
  look = 'plain',
  icon,
  needs,
  children,
  className = '',
  ...props
}: ButtonProps): ReactNode {
  const may = useMay();
  if (needs !== undefined && !may(needs)) return null;
  const width = children === undefined ? 'w-7' : 'px-2.5';
  return (
    <AriaButton {...props} className={`${shape} ${looks[look]} ${width} ${className}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}
