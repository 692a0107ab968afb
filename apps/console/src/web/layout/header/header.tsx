import { useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { fixedRangeText } from '../../time/time-range.ts';
import { layoutTexts } from '../layout-texts.ts';
import { hasRange } from '../page-list.ts';
import { useTime } from '../use-time.ts';
import { AccountMenu } from './account-menu.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { RangePicker } from './range-picker.tsx';
import { ZonePicker } from './zone-picker.tsx';

interface HeaderProps {
  readonly onMenu: () => void;
  readonly onPalette: () => void;
}

export function Header({ onMenu, onPalette }: HeaderProps): ReactNode {
  const texts = useTexts(layoutTexts);
  const { pathname } = useLocation();
  return (
    <header className="no-print sticky top-0 z-40 flex h-11 items-center gap-0.5 border-b bg-panel px-1.5 sm:gap-2 sm:px-3">
      <Button look="quiet" icon="menu" aria-label={texts.navigation} className="md:hidden" onPress={onMenu} />
      <span className="hidden items-center gap-2 pl-1 font-semibold md:flex">
        <Icon name="activity" className="text-accent" />
        Tickrate
      </span>
      <span aria-hidden="true" className="hidden text-edge md:inline">
        /
      </span>
      <ProjectSwitcher />
      <div className="flex-1" />
      <button
        type="button"
        onClick={onPalette}
        className="flex h-7 shrink-0 items-center gap-2 rounded-md px-1.5 text-soft lg:w-64 lg:border lg:border-edge lg:bg-ground"
      >
        <Icon name="search" />
        <span className="truncate text-left max-lg:sr-only lg:flex-1">{texts.palette}</span>
        <kbd className="shrink-0 whitespace-nowrap font-mono text-xs max-lg:hidden">Ctrl K</kbd>
      </button>
      {hasRange(pathname) && <RangePicker />}
      <span className="hidden sm:block">
        <ZonePicker />
      </span>
      <span className="hidden sm:block">
        <CopyLinkButton />
      </span>
      <AccountMenu />
    </header>
  );
}

/** Copies the address with a fixed time range, so that another reader sees the same events. */
function CopyLinkButton(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { resolve } = useTime();
  const router = useRouter();
  return (
    <Button
      look="quiet"
      icon="link"
      aria-label={texts.copyLink}
      onPress={() => {
        const { href } = router.buildLocation({
          to: '.',
          search: (search: object) => ({ ...search, range: fixedRangeText(resolve()) }),
        });
        navigator.clipboard.writeText(location.origin + href).then(
          () => showToast(texts.linkCopied),
          () => undefined,
        );
      }}
    />
  );
}
