import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useList } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { Panel } from '../../../components/panel.tsx';
import { EmptyState } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { valueTexts } from '../../../texts/value-texts.ts';
import { auditKinds, type SettingsSearch } from '../settings-search.ts';
import { ActDialog } from './act-dialog.tsx';
import { actTexts, auditTexts, isKnownAct } from './audit-texts.ts';
import { type Names, nameOf, objectOf } from './object-of.ts';
import { type Act, Outcome } from './outcome.tsx';
import { useNames } from './use-names.ts';

/** Every change with its author, and every sign-in. The filters are in the address. */
export function AuditPart(): ReactNode {
  const texts = useTexts(auditTexts);
  const { act, account } = useSearch({ from: '/p/$projectId/settings' });
  const kind = useKind();
  const filter = useFilter();
  const [shown, setShown] = useState<Act | null>(null);
  const acts = useList('GET /v1/audit', {
    query: {
      limit: 100,
      ...(act !== undefined && { act }),
      ...(kind !== 'all' && { kind }),
      ...(account !== undefined && { accountId: account }),
    },
  });
  const names = useNames(acts.query.data);
  const columns = useColumns(names);
  return (
    <Panel title={texts.title} isFlush actions={<Filters />}>
      <p className="px-3 pb-2 text-soft">{texts.help}</p>
      {account !== undefined && (
        <div className="flex flex-wrap items-center gap-2 px-3 pb-2">
          <span>{texts.ofAccount(nameOf(account, names))}</span>
          <Button look="quiet" icon="x" onPress={() => filter({ account: undefined })}>
            {texts.everyAccount}
          </Button>
        </div>
      )}
      <ListTable
        list={acts}
        empty={<EmptyState icon="search" title={texts.noActs} text={texts.noActsHelp} />}
        label={texts.title}
        columns={columns}
        minWidth={1020}
        keyOf={({ id }) => id}
        onOpen={setShown}
      />
      {shown !== null && (
        <ActDialog
          act={shown}
          names={names}
          onClose={() => setShown(null)}
          onAccount={(accountId) => {
            setShown(null);
            filter({ account: accountId });
          }}
        />
      )}
    </Panel>
  );
}

function useFilter(): (changed: Partial<SettingsSearch>) => void {
  const navigate = useNavigate({ from: '/p/$projectId/settings' });
  return (changed) => void navigate({ to: '.', search: (before) => ({ ...before, ...changed }) });
}

/** The changes of the project, unless the other filters name an action or an account, which may be of sign-in. */
function useKind(): NonNullable<SettingsSearch['kind']> {
  const { act, kind, account } = useSearch({ from: '/p/$projectId/settings' });
  return kind ?? (act === undefined && account === undefined ? 'management' : 'all');
}

function Filters(): ReactNode {
  const texts = useTexts(auditTexts);
  const acts = useTexts(actTexts);
  const may = useMay();
  const { act } = useSearch({ from: '/p/$projectId/settings' });
  const kind = useKind();
  const filter = useFilter();
  const labels = new Map(Object.entries(acts).toSorted(([, a], [, b]) => a.localeCompare(b)));
  return (
    <>
      <SelectField
        label={texts.action}
        isLabelHidden
        className="w-72"
        value={act ?? ''}
        choices={['', ...labels.keys()]}
        labelOf={(each) => labels.get(each) ?? texts.anyAct}
        onChange={(chosen) => filter({ act: chosen === '' ? undefined : chosen })}
      />
      {may('players:read') && (
        <SelectField
          label={texts.kind}
          isLabelHidden
          className="w-64"
          value={kind}
          choices={auditKinds}
          labelOf={(each) => texts[each === 'all' ? 'anyKind' : each]}
          onChange={(chosen) => filter({ kind: chosen })}
        />
      )}
    </>
  );
}

function useColumns(names: Names): Column<Act>[] {
  const texts = useTexts(auditTexts);
  const acts = useTexts(actTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  return [
    { title: texts.at, width: '190px', render: ({ at }) => formats.time(at) },
    {
      title: texts.actor,
      width: 'minmax(310px, 1.2fr)',
      render: ({ actor }) => (
        <span className={`foreign ${actor !== null && names.has(actor) ? '' : 'font-mono text-sm'}`}>
          {actor === null ? texts.nobody : nameOf(actor, names)}
        </span>
      ),
    },
    {
      title: texts.action,
      width: 'minmax(280px, 2fr)',
      render: ({ act, details }) => (
        <span className="flex gap-x-2 max-sm:flex-wrap">
          <span className="sm:shrink-0">{isKnownAct(act) ? acts[act] : act}</span>
          <span className="foreign min-w-0 truncate text-soft">
            {objectOf({ act, details }, names, values)}
          </span>
        </span>
      ),
    },
    {
      title: texts.address,
      width: '130px',
      render: ({ clientAddress }) => <span className="font-mono text-sm">{clientAddress}</span>,
    },
    {
      title: texts.outcome,
      width: 'minmax(110px, 0.7fr)',
      render: ({ outcome }) => <Outcome outcome={outcome} />,
    },
  ];
}
