import type { ReactElement, ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from '../../look/icon.tsx';

export interface MenuEntry {
  readonly label: string;
  readonly onSelect: () => void;
  readonly icon?: IconName;
  readonly detail?: string;
  readonly danger?: boolean;
  readonly selected?: boolean;
  readonly disabled?: boolean;
  /** Whether a line separates it from the entry before. */
  readonly startsGroup?: boolean;
}

interface MenuButtonProps {
  /** The button that opens the menu. */
  readonly children: ReactElement;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

export function MenuButton({ children, label, entries }: MenuButtonProps): ReactNode {
  return (
    <MenuTrigger>
      {children}
      <Popover className="overlay max-h-96 min-w-44 max-w-96 overflow-auto p-1" offset={4}>
        <Menu aria-label={label} className="outline-none">
          {entries.map((entry, index) => (
            <MenuItem
              // biome-ignore lint/suspicious/noArrayIndexKey: names of projects repeat
              key={index}
              onAction={entry.onSelect}
              textValue={entry.label}
              isDisabled={entry.disabled ?? false}
              className={`flex h-7 cursor-default items-center gap-2 rounded-sm px-2 outline-none data-focused:bg-raised data-disabled:opacity-50 ${entry.danger ? 'text-bad' : ''} ${entry.startsGroup ? 'relative mt-2 before:absolute before:-top-1 before:-inset-x-1 before:border-t' : ''}`}
            >
              {entry.icon !== undefined && <Icon name={entry.icon} />}
              <span className="min-w-0 flex-1 truncate">{entry.label}</span>
              {entry.detail !== undefined && <span className="text-soft">{entry.detail}</span>}
              {entry.selected === true && <Icon name="check" className="text-accent" />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
