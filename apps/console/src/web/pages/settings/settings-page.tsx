import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuditPart } from './audit-part.tsx';
import { ErasuresPart } from './erasures-part.tsx';
import { KeysPart } from './keys-part.tsx';
import { MembersPart } from './members-part.tsx';
import { LimitForms } from './policies/limit-forms.tsx';
import { SignInPart } from './policies/sign-in-part.tsx';
import { ProjectPart } from './project-part.tsx';
import { settingsParts } from './settings-search.ts';
import { settingsTexts } from './settings-texts.ts';

export function SettingsPage(): ReactNode {
  const texts = useTexts(settingsTexts);
  const { part } = useSearch({ from: '/p/$projectId/settings' });
  return (
    <Page title={texts.title}>
      <nav aria-label={texts.parts} className="flex gap-1 border-b">
        {settingsParts.map((name) => (
          <Link
            key={name}
            from="/p/$projectId/settings"
            to="."
            search={(before) => ({ ...before, part: name })}
            aria-current={name === part ? 'page' : undefined}
            className="-mb-px flex h-8 items-center border-b-2 border-transparent px-2 text-soft aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {texts[name]}
          </Link>
        ))}
      </nav>
      {part === 'project' && <ProjectPart />}
      {part === 'keys' && <KeysPart />}
      {part === 'members' && <MembersPart />}
      {part === 'signIn' && <SignInPart />}
      {part === 'limits' && <LimitForms />}
      {part === 'erasures' && <ErasuresPart />}
      {part === 'audit' && <AuditPart />}
    </Page>
  );
}
