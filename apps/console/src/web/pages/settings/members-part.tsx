import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { useAct, useCall, useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, ListPanel } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { Invitations, InviteDialog } from './invitations.tsx';
import { settingsTexts } from './settings-texts.ts';

type Member = RowOf<'GET /v1/members'>;

export function MembersPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const members = useList('GET /v1/members');
  const roles = useCall('GET /v1/roles');
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const [changing, setChanging] = useState<{ member: Member; role: string } | null>(null);
  const roleRows = roles.data?.results ?? [];
  const roleNames = roleRows.map(({ name }) => name);
  const edit = useAct('PATCH /v1/members/{accountId}', {
    changes: ['GET /v1/members'],
    onDone: (member) => {
      setChanging(null);
      showToast(texts.roleChanged(nameOf(member), values.role(member.role)));
    },
  });
  const remove = useAct('DELETE /v1/members/{accountId}', { changes: ['GET /v1/members'] });
  const columns = useMemberColumns({
    roleNames,
    onRole: (member, role) => {
      edit.reset();
      setChanging({ member, role });
    },
    onRemove: setRemoving,
  });
  return (
    <>
      <ListPanel
        title={texts.members}
        actions={
          <Button icon="plus" needs="members:write" onPress={() => setInviting(true)}>
            {texts.invite}
          </Button>
        }
        list={members}
        empty={<EmptyState icon="users" title={texts.noMembers} text={texts.noMembersHelp} />}
        columns={columns}
        keyOf={({ accountId }) => accountId}
        minWidth={640}
      />
      <Invitations roles={roleRows} />
      {isInviting && <InviteDialog again={null} roles={roleRows} onClose={() => setInviting(false)} />}
      {changing !== null && (
        <Dialog title={texts.roleTitle} onClose={() => setChanging(null)}>
          <p>
            {texts.roleHelp(
              nameOf(changing.member),
              values.role(changing.member.role),
              values.role(changing.role),
            )}
          </p>
          {changing.member.byGroup && <p>{texts.byGroupHelp}</p>}
          <MemberGrants accountId={changing.member.accountId} nextRole={changing.role} />
          <DialogEnd
            action={texts.changeRole}
            act={edit}
            onClose={() => setChanging(null)}
            onPress={() => {
              const { member, role } = changing;
              edit.mutate({
                params: { accountId: member.accountId },
                body: { version: member.version, role },
              });
            }}
          />
        </Dialog>
      )}
      {removing !== null && (
        <ConfirmDialog
          title={texts.removeTitle}
          name={nameOf(removing)}
          action={texts.removeMember}
          act={remove}
          input={{ params: { accountId: removing.accountId } }}
          onClose={() => setRemoving(null)}
        >
          <div className="flex flex-col gap-3">
            <p>{texts.removeHelp}</p>
            {removing.byGroup && <p>{texts.byGroupHelp}</p>}
            <MemberGrants accountId={removing.accountId} nextRole={null} />
          </div>
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
  const values = useTexts(valueTexts);
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const { data: session } = useQuery(sessionQuery);
  return [
    {
      title: texts.name,
      width: 'minmax(200px, 2fr)',
      render: (member) => (
        <span className="flex items-center gap-2">
          <span className="foreign min-w-0 truncate">{nameOf(member)}</span>
          {member.accountId === session?.accountId && <Badge>{texts.you}</Badge>}
          {member.byGroup && <Badge>{texts.byGroup}</Badge>}
        </span>
      ),
    },
    {
      title: texts.role,
      width: '180px',
      render: (member) => (
        <SelectField
          label={texts.role}
          isLabelHidden
          isDisabled={!may('members:write')}
          value={member.role}
          choices={[...new Set([...roleNames, member.role])]}
          labelOf={values.role}
          onChange={(role) => onRole(member, role)}
        />
      ),
    },
    { title: texts.since, width: '140px', render: ({ granted }) => formats.day(granted) },
    {
      title: texts.actions,
      isNumber: true,
      width: '120px',
      render: (member) => (
        <Button look="quiet" className="-mr-2.5" needs="members:write" onPress={() => onRemove(member)}>
          {texts.removeMember}
        </Button>
      ),
    },
  ];
}

interface MemberGrantsProps {
  readonly accountId: string;
  /** The role that the member would get. Null for a removal. */
  readonly nextRole: string | null;
}

/** What a member made that still works, and what becomes of it. */
function MemberGrants({ accountId, nextRole }: MemberGrantsProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const grants = useCall('GET /v1/members/{accountId}/grants', {
    params: { accountId },
    query: nextRole === null ? {} : { role: nextRole },
  });
  const keyFate = (loses: readonly string[]) => {
    if (loses.length === 0) return texts.stays;
    // A smaller role can leave the key less of a scope: to read, but not to write.
    return nextRole === null ? texts.losesAll : texts.loses(loses.join(', '));
  };
  return (
    <PageState
      query={grants}
      isEmpty={({ keys, invitations, shares }) => keys.length + invitations.length + shares.length === 0}
      empty={<p className="text-soft">{texts.nothingLeft}</p>}
    >
      {({ keys, invitations, shares }) => (
        <div className="flex flex-col gap-3">
          <p>{nextRole === null ? texts.limitedByRemoval : texts.limitedByRole}</p>
          <Named
            title={texts.keysLeft}
            left={keys.map(({ id, prefix, ending, comment, loses }) => ({
              id,
              name: `${prefix}…${ending} ${comment}`,
              fate: keyFate(loses),
            }))}
          />
          <Named
            title={texts.invitationsLeft}
            left={invitations.map(({ id, emailAddress, role, ends }) => ({
              id,
              name: `${emailAddress} (${values.role(role)})`,
              fate: ends ? texts.ends : texts.stays,
            }))}
          />
          <Named
            title={texts.linksLeft}
            left={shares.map(({ id, dashboardName, ends }) => ({
              id,
              name: dashboardName,
              fate: ends ? texts.ends : texts.stays,
            }))}
          />
        </div>
      )}
    </PageState>
  );
}

interface NamedProps {
  readonly title: string;
  readonly left: readonly { readonly id: string; readonly name: string; readonly fate: string }[];
}

function Named({ title, left }: NamedProps): ReactNode {
  if (left.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="max-h-40 list-disc overflow-auto pl-5">
        {left.map(({ id, name, fate }) => (
          <li key={id}>
            <span className="foreign">{name}</span>: {fate}
          </li>
        ))}
      </ul>
    </section>
  );
}
