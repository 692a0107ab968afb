import { type ReactNode, useState } from 'react';
import { useCall, useList } from '../../../api/use-call.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { type Column, ListTable } from '../../../components/data-table.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { rightsText, valueTexts } from '../../../texts/value-texts.ts';
import { RoleDialog } from './role-dialog.tsx';
import { roleTexts } from './role-texts.ts';
import type { Role } from './use-roles.ts';

export function RolesPart(): ReactNode {
  const texts = useTexts(roleTexts);
  const roles = useCall('GET /v1/roles');
  const members = useList('GET /v1/members', { query: { limit: 200 } });
  const [shown, setShown] = useState<Role | 'new' | null>(null);
  const counts = new Map<string, number>();
  for (const { role } of members.query.data ?? []) counts.set(role, (counts.get(role) ?? 0) + 1);
  const columns = useRoleColumns(counts);
  return (
    <Panel
      title={texts.title}
      isFlush
      actions={
        <Button icon="plus" needs="policies:write" onPress={() => setShown('new')}>
          {texts.create}
        </Button>
      }
    >
      <p className="px-3 pb-2 text-soft">{texts.help}</p>
      <ListTable
        list={{ query: roles }}
        label={texts.title}
        columns={columns}
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
    </Panel>
  );
}

function useRoleColumns(counts: ReadonlyMap<string, number>): Column<Role>[] {
  const texts = useTexts(roleTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  return [
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
  ];
}

export function Rights({ scopes }: Pick<Role, 'scopes'>): ReactNode {
  const text = rightsText(scopes, useTexts(valueTexts));
  return <span title={text}>{text}</span>;
}
