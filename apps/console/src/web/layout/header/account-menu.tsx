import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { Button } from '../../components/button.tsx';
import { MenuButton } from '../../components/dialogs/menu-button.tsx';
import { changePreferences, usePreferences } from '../../look/preferences.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';

/** The user's own things: theme, language, signing out. */
export function AccountMenu(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { theme, language } = usePreferences();
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const projectId = useProjectId();
  const acts: Readonly<Record<string, () => void>> = {
    account: () => void navigate({ to: '/p/$projectId/account', params: { projectId } }),
    system: () => changePreferences({ theme: 'system' }),
    light: () => changePreferences({ theme: 'light' }),
    dark: () => changePreferences({ theme: 'dark' }),
    en: () => changePreferences({ language: 'en' }),
    de: () => changePreferences({ language: 'de' }),
    signOut: () => void signOut(),
  };
  async function signOut(): Promise<void> {
    await call('DELETE /session');
    client.clear();
    await navigate({ to: '/sign-in' });
  }
  return (
    <MenuButton
      label={texts.account}
      onAction={(id) => acts[id]?.()}
      entries={[
        { id: 'account', label: texts.yourAccount, icon: 'user' },
        {
          id: 'system',
          label: texts.themeSystem,
          icon: 'monitor',
          selected: theme === 'system',
          startsGroup: true,
        },
        { id: 'light', label: texts.themeLight, icon: 'sun', selected: theme === 'light' },
        { id: 'dark', label: texts.themeDark, icon: 'moon', selected: theme === 'dark' },
        { id: 'en', label: 'English', icon: 'languages', selected: language === 'en', startsGroup: true },
        { id: 'de', label: 'Deutsch', icon: 'languages', selected: language === 'de' },
        {
          id: 'signOut',
          label: texts.signOut,
          icon: 'log-out',
          detail: roleOf(session?.role),
          startsGroup: true,
        },
      ]}
    >
      <Button look="quiet" icon="user" aria-label={texts.account} />
    </MenuButton>
  );
}

/** `builtin:admin` is the role of the owner of the installation. */
function roleOf(role = ''): string {
  return role.replace(/^builtin:/, '');
}
