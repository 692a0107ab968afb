import { type ReactNode, useState } from 'react';
import type { Problem } from '../../../api/problem.ts';
import { useCall, useList } from '../../../api/use-call.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { ListPanel } from '../../../components/data-table.tsx';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../../components/dialogs/dialog.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { ProblemNote } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { usePreferences } from '../../../look/preferences.ts';
import { faultText } from '../../../texts/fault-texts.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { rightsText, valueTexts } from '../../../texts/value-texts.ts';
import { roleTexts } from './role-texts.ts';
import { ScopeFields } from './scope-fields.tsx';
import { type Role, useRoleChange } from './use-roles.ts';

export function RolesPart(): ReactNode {
  const texts = useTexts(roleTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const roles = useCall('GET /v1/roles');
  const members = useList('GET /v1/members', { query: { limit: 200 } });
  const [shown, setShown] = useState<Role | 'new' | null>(null);
  const counts = new Map<string, number>();
  for (const { role } of members.query.data ?? []) counts.set(role, (counts.get(role) ?? 0) + 1);
  return (
    <>
      <ListPanel
        title={texts.roles}
        actions={
          <Button icon="plus" needs="policies:write" onPress={() => setShown('new')}>
            {texts.create}
          </Button>
        }
        help={texts.help}
        list={{ query: roles }}
        columns={[
          { title: texts.name, width: '140px', render: ({ name }) => values.role(name) },
          {
            title: texts.kind,
            width: '110px',
            render: ({ builtIn }) => (
              <Badge tone={builtIn ? 'plain' : 'accent'}>{builtIn ? texts.builtIn : texts.own}</Badge>
            ),
          },
          {
            title: texts.members,
            width: '110px',
            isNumber: true,
            render: ({ name }) => formats.number(counts.get(name) ?? 0),
          },
          { title: texts.rights, render: ({ scopes }) => <Rights scopes={scopes} /> },
        ]}
        minWidth={640}
        keyOf={({ name }) => name}
        onOpen={setShown}
      />
      {shown !== null && (
        <RoleDialog
          key={shown === 'new' ? 'new' : shown.name}
          role={shown === 'new' ? null : shown}
          roleNames={(roles.data?.results ?? []).map(({ name }) => name)}
          memberCount={shown === 'new' ? 0 : (counts.get(shown.name) ?? 0)}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

export function Rights({ scopes }: Pick<Role, 'scopes'>): ReactNode {
  const text = rightsText(scopes, useTexts(valueTexts));
  return <span title={text}>{text}</span>;
}

interface RoleDialogProps {
  /** Null for a new one. */
  readonly role: Role | null;
  readonly roleNames: readonly string[];
  readonly memberCount: number;
  readonly onClose: () => void;
}

/** A role. A built-in one, or any for a user who may not change policies, is only shown. */
function RoleDialog(props: RoleDialogProps): ReactNode {
  const { role } = props;
  const mayEdit = useMay()('policies:write');
  const [isRemoving, setRemoving] = useState(false);
  const invited = useInvited(role?.name ?? null);
  if (role !== null && (role.builtIn || !mayEdit)) return <FixedRole role={role} onClose={props.onClose} />;
  if (role !== null && isRemoving) return <RemoveRole {...props} role={role} invited={invited} />;
  return <RoleForm {...props} invited={invited} onRemove={() => setRemoving(true)} />;
}

function FixedRole({ role, onClose }: { readonly role: Role; readonly onClose: () => void }): ReactNode {
  const texts = useTexts(roleTexts);
  const values = useTexts(valueTexts);
  return (
    <Dialog title={values.role(role.name)} onClose={onClose} width={640}>
      <p className="text-soft">{role.builtIn ? texts.builtInHelp : texts.readOnly}</p>
      <ScopeFields scopes={role.scopes} onChange={() => undefined} isDisabled />
      <DialogActions>
        <Button onPress={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface RoleFormProps extends RoleDialogProps {
  readonly invited: number;
  readonly onRemove: () => void;
}

function RoleForm({ role, memberCount, invited, onClose, onRemove }: RoleFormProps): ReactNode {
  const texts = useTexts(roleTexts);
  const formats = useFormats();
  const [name, setName] = useState(role?.name ?? '');
  const [scopes, setScopes] = useState<readonly string[]>(role?.scopes ?? []);
  const change = useRoleChange(() => {
    showToast(role === null ? texts.created : texts.saved);
    onClose();
  });
  const before = role?.name ?? null;
  const isRenamed = before !== null && name.trim() !== before;
  const isBlocked = isRenamed && invited > 0;
  const { language } = usePreferences();
  const nameFault = faultOfName(change.error);
  const fault = nameFault === null ? null : faultText({ message: nameFault }, language);
  return (
    <Dialog title={before ?? texts.create} onClose={onClose} width={640}>
      <TextField
        label={texts.name}
        help={isRenamed && memberCount > 0 ? texts.renameHelp(formats.number(memberCount)) : texts.nameHelp}
        value={name}
        onChange={setName}
        error={fault}
        autoComplete="off"
        autoFocus={role === null}
        isMonospace
      />
      <ScopeFields scopes={scopes} onChange={setScopes} />
      {memberCount > 0 && <p className="text-soft">{texts.limits}</p>}
      {isBlocked && <InvitedNote count={invited} />}
      {fault === null && <ProblemNote problem={change.error} />}
      <DialogActions>
        {role !== null && (
          <Button look="danger" className="mr-auto" onPress={onRemove}>
            {texts.remove}
          </Button>
        )}
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={name.trim() === '' || change.isPending || isBlocked}
          onPress={() => change.mutate({ before, after: { name: name.trim(), scopes } })}
        >
          {role === null ? texts.create : texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A refusal of the name stands at its field. The policy names roles by their names. */
function faultOfName(problem: Problem | null): string | null {
  if (problem === null || !/^name$|^value\.roles/.test(problem.parameterName ?? '')) return null;
  const reason = problem.data['parameterInvalidReason'];
  return typeof reason === 'string' ? reason : (problem.fields ?? problem.message);
}

function InvitedNote({ count }: { readonly count: number }): ReactNode {
  const texts = useTexts(roleTexts);
  const formats = useFormats();
  return (
    <p role="alert" className="text-bad">
      {texts.invited(formats.number(count))}
    </p>
  );
}

function useInvited(role: string | null): number {
  const invitations = useList('GET /v1/invitations', { query: { limit: 200 } }, { enabled: role !== null });
  return (invitations.query.data ?? []).filter((each) => each.role === role).length;
}

interface RemoveRoleProps extends RoleDialogProps {
  readonly role: Role;
  readonly invited: number;
}

function RemoveRole({ role, roleNames, memberCount, invited, onClose }: RemoveRoleProps): ReactNode {
  const texts = useTexts(roleTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const [replacement, setReplacement] = useState('viewer');
  const remove = useRoleChange(() => showToast(texts.removed));
  const others = roleNames.filter((each) => each !== role.name);
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      name={role.name}
      action={texts.remove}
      isDisabled={invited > 0}
      act={remove}
      input={{ before: role.name, after: null, replacement }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>{texts.removeHelp(formats.number(memberCount))}</p>
        {memberCount > 0 && <p>{texts.limits}</p>}
        {invited > 0 && <InvitedNote count={invited} />}
        {memberCount > 0 && (
          <SelectField
            label={texts.replacement}
            value={replacement}
            choices={others}
            labelOf={values.role}
            onChange={setReplacement}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
