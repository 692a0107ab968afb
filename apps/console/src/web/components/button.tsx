import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Icon, type IconName } from '../look/icon.tsx';
import { type Permission, useMay } from './states/permissions.tsx';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /** `primary`: at most one per view. `danger`: what cannot be undone. `quiet`: beside other things. `link`: within text. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger' | 'link';
  readonly icon?: IconName;
  /** Hidden from a role that does not have it. */
  readonly needs?: Permission;
  readonly children?: ReactNode;
  readonly className?: string;
}

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
  return (
    <AriaButton {...props} className={`button button-${look} ${className}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label'> {
  readonly icon: IconName;
  /** What it does: nothing else says that. */
  readonly label: string;
}

export function IconButton({ label, look = 'quiet', className = '', ...props }: IconButtonProps): ReactNode {
  return <Button {...props} look={look} aria-label={label} className={`button-square ${className}`} />;
}
