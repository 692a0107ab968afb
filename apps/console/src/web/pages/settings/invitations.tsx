import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { call, type RowOf } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { mailQuery } from '../../api/session.ts';
import { useAct, useList, useProjectId } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { UnsentMailLink } from '../../components/states/unsent-mail-note.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { rightsText, valueTexts } from '../../texts/value-texts.ts';
import { nowMs } from '../../time/clock.ts';
import type { Role } from './roles/use-roles.ts';
import { settingsTexts } from './settings-texts.ts';

/** A mail is sent a moment after its invitation. */
const pollMs = 5_000;

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
    { title: texts.email, width: 'minmax(200px, 2fr)', render: ({ emailAddress }) => emailAddress },
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

export type Invitation = RowOf<'GET /v1/invitations'>;

interface InviteDialogProps {
  /** An open invitation that is replaced by a new one. Null for a first one. */
  readonly again: Invitation | null;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

export function InviteDialog({ again, roles, onClose }: InviteDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const [emailAddress, setEmailAddress] = useState(again?.emailAddress ?? '');
  const [role, setRole] = useState(again?.role ?? 'viewer');
  const [days, setDays] = useState(7);
  const isUnsent = useQuery(mailQuery).data?.staysInOutbox === true;
  const send = useSend(again, () => {
    onClose();
    showToast(isUnsent ? texts.invited(emailAddress.trim()) : texts.sent);
  });
  return (
    <Dialog title={again === null ? texts.inviteTitle : texts.resendTitle} onClose={onClose}>
      <p className="text-soft">{again === null ? texts.inviteHelp : texts.resendHelp}</p>
      <UnsentMailLink isToAdministrator />
      <TextField
        label={texts.email}
        type="email"
        value={emailAddress}
        onChange={setEmailAddress}
        isDisabled={again !== null}
        autoFocus={again === null}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={texts.role}
          value={role}
          choices={[...new Set([...roles.map(({ name }) => name), role])]}
          labelOf={values.role}
          onChange={setRole}
          help={rightsText(roles.find(({ name }) => name === role)?.scopes ?? [], values)}
        />
        <SelectField
          label={texts.validFor}
          value={days}
          choices={[1, 7, 30]}
          labelOf={(life) => texts.days(formats.number(life))}
          onChange={setDays}
        />
      </div>
      <DialogEnd
        action={again === null ? texts.invite : texts.resend}
        isDisabled={emailAddress.trim() === ''}
        act={send}
        onClose={onClose}
        onPress={() => send.mutate({ emailAddress: emailAddress.trim(), role, days })}
      />
    </Dialog>
  );
}

interface Invite {
  readonly emailAddress: string;
  readonly role: string;
  readonly days: number;
}

/** An address has one open invitation: the first one ends before the next. A failure keeps the dialog, to try again. */
function useSend(again: Invitation | null, onDone: () => void) {
  const projectId = useProjectId();
  const client = useQueryClient();
  const isWithdrawn = useRef(false);
  return useMutation<void, Problem, Invite>({
    async mutationFn({ days, ...body }) {
      if (again !== null && !isWithdrawn.current) {
        await call('DELETE /v1/invitations/{invitationId}', {
          params: { invitationId: again.id },
          projectId,
        });
        isWithdrawn.current = true;
      }
      // A minute less: at most 30 days by the clock of the server.
      const expires = new Date(nowMs() + days * 86_400_000 - 60_000).toISOString();
      await call('POST /v1/invitations', { body: { ...body, expires }, projectId });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [projectId, 'GET /v1/invitations'] }),
    onSuccess: onDone,
  });
}
