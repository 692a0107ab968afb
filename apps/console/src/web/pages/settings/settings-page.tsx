import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mailQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-call.ts';
import { Forbidden } from '../../components/states/page-state.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuditPart } from './audit/audit-part.tsx';
import { ErasuresPart } from './erasures-part.tsx';
import { KeysPart } from './keys-part.tsx';
import { MailsPart } from './mails-part.tsx';
import { MembersPart } from './members-part.tsx';
import { LimitForms, SignInForms } from './policies/policy-forms.tsx';
import { ProjectPart } from './project-part.tsx';
import { RolesPart } from './roles/roles-part.tsx';
import { partScopes, type SettingsPart, settingsParts } from './settings-search.ts';
import { settingsTexts } from './settings-texts.ts';

export function SettingsPage(): ReactNode {
  const texts = useTexts(settingsTexts);
  const { part } = useSearch({ from: '/p/$projectId/settings' });
  const Part = parts[part];
  const may = useMay();
  const projectId = useProjectId();
  const hasOutbox = useQuery(mailQuery).data?.staysInOutbox === true;
  return (
    <Page>
      <nav aria-label={texts.parts} className="flex flex-wrap gap-x-1 border-b">
        {settingsParts
          .filter((name) => may(partScopes[name]) && (name !== 'mails' || hasOutbox || name === part))
          .map((name) => (
            <Link
              key={name}
              from="/p/$projectId/settings"
              to="."
              search={({ part: _left, act: _act, kind: _kind, account: _account, ...kept }) => ({
                ...kept,
                part: name,
              })}
              aria-current={name === part ? 'page' : undefined}
              className="-mb-px flex h-8 items-center border-b-2 border-transparent px-2 text-soft aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {texts[name]}
            </Link>
          ))}
      </nav>
      {may(partScopes[part]) ? <Part key={projectId} /> : <Forbidden />}
    </Page>
  );
}

const parts: Readonly<Record<SettingsPart, () => ReactNode>> = {
  project: ProjectPart,
  keys: KeysPart,
  members: MembersPart,
  roles: RolesPart,
  signIn: SignInForms,
  limits: LimitForms,
  mails: MailsPart,
  erasures: ErasuresPart,
  audit: AuditPart,
};
