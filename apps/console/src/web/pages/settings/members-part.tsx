import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useAct, useCall, useList } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { EmptyState, PageState } from '../../components/page-state.tsx';
import { Panel } from '../../components/panel.tsx';
import { useMay } from '../../components/permissions.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { settingsTexts } from './settings-texts.ts';

type Member = RowOf<'GET /v1/members'>;
type Invitation = RowOf<'GET /v1/invitations'>;

/** Who administers the project, and who is invited to. */
export function MembersPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const members = useList('GET /v1/members');
  const roles = useCall('GET /v1/roles');
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const roleNames = (roles.data?.results ?? []).map(({ name }) => name);
  const edit = useAct('PATCH /v1/members/{accountId}', { changes: ['GET /v1/members'] });
  const remove = useAct('DELETE /v1/members/{accountId}', {
    changes: ['GET /v1/members'],
    onDone: () => setRemoving(null),
  });
  const columns = useMemberColumns({
    roleNames,
    onRole: ({ accountId, version }, role) => edit.mutate({ params: { accountId }, body: { version, role } }),
    onRemove: setRemoving,
  });
  return (
    <>
      <Panel
        title={texts.members}
        isFlush
        actions={
          <Button icon="plus" needs="members:write" onPress={() => setInviting(true)}>
            {texts.invite}
          </Button>
        }
      >
        {edit.error !== null && <ProblemNote problem={edit.error} />}
        <PageState
          query={members.query}
          isEmpty={(rows) => rows.length === 0}
          empty={<EmptyState icon="users" title={texts.noMembers} text={texts.noMembersHelp} />}
        >
          {(rows) => (
            <DataTable
              label={texts.members}
              columns={columns}
              rows={rows}
              keyOf={({ accountId }) => accountId}
            />
          )}
        </PageState>
      </Panel>
      <Invitations />
      <InviteDialog isOpen={isInviting} roleNames={roleNames} onClose={() => setInviting(false)} />
      {removing !== null && (
        <ConfirmDialog
          title={texts.removeTitle}
          name={nameOf(removing)}
          action={texts.removeMember}
          isOpen
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.mutate({ params: { accountId: removing.accountId } })}
          isPending={remove.isPending}
          problem={remove.error}
        >
          {texts.removeHelp}
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({ emailAddress, displayName, accountId }: Member): string {
  return emailAddress ?? displayName ?? accountId;
}

interface MemberActs {
  readonly roleNames: readonly string[];
  readonly onRole: (member: Member, role: string) => void;
  readonly onRemove: (member: Member) => void;
}

function useMemberColumns({ roleNames, onRole, onRemove }: MemberActs): Column<Member>[] {
  const may = useMay();
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  return [
    {
      id: 'name',
      title: texts.name,
      width: 'minmax(200px, 2fr)',
      render: (member) => <span className="foreign">{nameOf(member)}</span>,
    },
    {
      id: 'role',
      title: texts.role,
      width: '180px',
      render: (member) => (
        <SelectField
          label={texts.role}
          isLabelHidden
          isDisabled={!may('members:write')}
          value={member.role}
          choices={[...new Set([member.role, ...roleNames])].map((name) => ({ value: name, label: name }))}
          onChange={(role) => onRole(member, role)}
        />
      ),
    },
    { id: 'since', title: texts.since, width: '140px', render: ({ granted }) => formats.day(granted) },
    {
      id: 'acts',
      title: texts.actions,
      width: '120px',
      render: (member) => (
        <Button look="quiet" needs="members:write" onPress={() => onRemove(member)}>
          {texts.removeMember}
        </Button>
      ),
    },
  ];
}

function Invitations(): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const invitations = useList('GET /v1/invitations');
  const withdraw = useAct('DELETE /v1/invitations/{invitationId}', { changes: ['GET /v1/invitations'] });
  const rows = invitations.query.data ?? [];
  if (rows.length === 0) return null;
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      title: texts.email,
      width: 'minmax(200px, 2fr)',
      render: ({ emailAddress }) => <span className="foreign">{emailAddress}</span>,
    },
    { id: 'role', title: texts.role, width: '180px', render: ({ role }) => role },
    { id: 'expires', title: texts.expires, width: '140px', render: ({ expires }) => formats.day(expires) },
    {
      id: 'acts',
      title: texts.actions,
      width: '120px',
      render: ({ id }) => (
        <Button
          look="quiet"
          needs="members:write"
          onPress={() => withdraw.mutate({ params: { invitationId: id } })}
        >
          {texts.withdraw}
        </Button>
      ),
    },
  ];
  return (
    <Panel title={texts.invitations} isFlush>
      {withdraw.error !== null && <ProblemNote problem={withdraw.error} />}
      <DataTable label={texts.invitations} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Panel>
  );
}

interface InviteDialogProps {
  readonly isOpen: boolean;
  readonly roleNames: readonly string[];
  readonly onClose: () => void;
}

function InviteDialog({ isOpen, roleNames, onClose }: InviteDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const [emailAddress, setEmailAddress] = useState('');
  const [role, setRole] = useState('viewer');
  const invite = useAct('POST /v1/invitations', {
    changes: ['GET /v1/invitations'],
    onDone: () => {
      setEmailAddress('');
      onClose();
      showToast(texts.sent);
    },
  });
  return (
    <Dialog title={texts.inviteTitle} isOpen={isOpen} onClose={onClose}>
      <TextField label={texts.email} type="email" value={emailAddress} onChange={setEmailAddress} autoFocus />
      <SelectField
        label={texts.role}
        value={role}
        choices={roleNames.map((name) => ({ value: name, label: name }))}
        onChange={setRole}
      />
      {invite.error !== null && <ProblemNote problem={invite.error} />}
      <DialogActions>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          look="primary"
          isDisabled={invite.isPending || emailAddress.trim() === ''}
          onPress={() => invite.mutate({ body: { emailAddress, role } })}
        >
          {texts.invite}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
