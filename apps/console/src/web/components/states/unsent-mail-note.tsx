import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mailQuery } from '../../api/session.ts';
import { Icon } from '../../look/icon.tsx';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { useMay } from './permissions.tsx';

/** Beside a form that waits for a mailed code, while no mail server is configured: names where the code is. */
export function UnsentMailNote({ children }: { readonly children?: ReactNode }): ReactNode {
  const texts = useTexts(commonTexts);
  const { data } = useQuery(mailQuery);
  if (data?.staysInOutbox !== true) return null;
  return (
    <div role="note" className="flex gap-2 rounded-md bg-raised px-3 py-2">
      <Icon name="info" className="mt-0.5 shrink-0 text-soft" />
      <p className="min-w-0">
        {texts.noMailServer} {children ?? texts.askForMail}
      </p>
    </div>
  );
}

interface UnsentMailLinkProps {
  /** Only the owner of the installation reads mails to administrators. */
  readonly isToAdministrator?: boolean;
}

/** The same inside a project. A role that may not read the mails asks another administrator. */
export function UnsentMailLink({ isToAdministrator = false }: UnsentMailLinkProps): ReactNode {
  const texts = useTexts(commonTexts);
  const may = useMay();
  if (!may('outbox:read')) return <UnsentMailNote />;
  return (
    <UnsentMailNote>
      {texts.mailIsIn}{' '}
      <Link
        to="/p/$projectId/settings"
        from="/p/$projectId"
        search={{ part: 'mails' }}
        // Another tab: the form that waits for the code stays.
        target="_blank"
        className="text-accent underline"
      >
        {texts.mails}
      </Link>
      .{isToAdministrator && ` ${texts.mailOfAdministrator}`}
    </UnsentMailNote>
  );
}
