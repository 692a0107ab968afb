import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { mailQuery } from '../../api/session.ts';
import { useAct, useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { UnsentMailLink } from '../../components/states/unsent-mail-note.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { type Invitation, InviteDialog } from './invite-dialog.tsx';
import type { Role } from './roles/use-roles.ts';
import { settingsTexts } from './settings-texts.ts';

/** A mail is sent a moment after its invitation. */
const pollMs = 5_000;

/** The invitations that nobody accepted yet. */
export function Invitations({ roles }: { readonly roles: readonly Role[] }): ReactNode {
  const texts = useTexts(settingsTexts);
  const invitations = useList('GET /v1/invitations', undefined, { everyMs: pollMs });
  const [again, setAgain] = useState<Invitation | null>(null);
  const withdraw = useAct('DELETE /v1/invitations/{invitationId}', { changes: ['GET /v1/invitations'] });
  const columns = useColumns({
    onResend: setAgain,
    onWithdraw: ({ id }) => withdraw.mutate({ params: { invitationId: id } }),
  });
  return (
    <Panel title={texts.invitations} isFlush>
      <ProblemNote problem={withdraw.error} />
      <PageState
        query={invitations.query}
        skeletonLines={2}
        empty={<p className="px-3 pb-3 text-soft">{texts.noInvitations}</p>}
      >
        {(rows) => (
          <>
            <div className="px-3 pb-2">
              <UnsentMailLink />
            </div>
            <DataTable
              label={texts.invitations}
              columns={columns}
              rows={rows}
              minWidth={860}
              keyOf={({ id }) => id}
              more={invitations.more}
            />
          </>
        )}
      </PageState>
      {again !== null && <InviteDialog again={again} roles={roles} onClose={() => setAgain(null)} />}
    </Panel>
  );
}

interface InvitationActs {
  readonly onResend: (invitation: Invitation) => void;
  readonly onWithdraw: (invitation: Invitation) => void;
}

function useColumns({ onResend, onWithdraw }: InvitationActs): Column<Invitation>[] {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const mailed = useQuery(mailQuery).data?.staysInOutbox === true ? texts.mailKept : texts.mailSent;
  return [
    {
      title: texts.email,
      width: 'minmax(200px, 2fr)',
      render: ({ emailAddress }) => <span className="foreign">{emailAddress}</span>,
    },
    { title: texts.role, width: '140px', render: ({ role }) => values.role(role) },
    { title: texts.invitedBy, width: '120px', render: ({ created }) => formats.day(created) },
    { title: texts.expires, width: '120px', render: ({ expires }) => formats.day(expires) },
    {
      title: texts.mail,
      width: '170px',
      render: (invitation) => (
        <Badge tone={invitation.mailed === null ? 'plain' : 'accent'}>
          {invitation.mailed === null ? texts.mailWaits : mailed}
        </Badge>
      ),
    },
    {
      title: texts.actions,
      isNumber: true,
      width: '240px',
      render: (invitation) => (
        <span className="flex justify-end gap-1">
          <Button look="quiet" needs="members:write" onPress={() => onResend(invitation)}>
            {texts.resend}
          </Button>
          <Button look="quiet" needs="members:write" onPress={() => onWithdraw(invitation)}>
            {texts.withdraw}
          </Button>
        </span>
      ),
    },
  ];
}
