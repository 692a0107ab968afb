import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useList } from '../../../api/use-call.ts';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { type Column, ListPanel } from '../../../components/data-table.tsx';
import { Dialog, DialogActions } from '../../../components/dialogs/dialog.tsx';
import { Facts } from '../../../components/facts.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { EmptyState } from '../../../components/states/page-state.tsx';
import { useMay } from '../../../components/states/permissions.tsx';
import { useChangeSearch } from '../../../layout/use-change-search.ts';
import { usePreferences } from '../../../look/preferences.ts';
import { textsIn } from '../../../texts/define-texts.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { valueTexts } from '../../../texts/value-texts.ts';
import { auditKinds, type SettingsSearch } from '../settings-search.ts';
import { actTexts, auditTexts, isKnownAct } from './audit-texts.ts';
import { type Names, nameOf, objectOf, useNames } from './object-of.ts';

/** Every change with its author, and every sign-in. The filters are in the address. */
export function AuditPart(): ReactNode {
  const texts = useTexts(auditTexts);
  const { act, account } = useSearch({ from: '/p/$projectId/settings' });
  const kind = useKind();
  const filter: (changed: Partial<SettingsSearch>) => void = useChangeSearch();
  const [shown, setShown] = useState<Act | null>(null);
  const acts = useList('GET /v1/audit', {
    query: { act, kind: kind === 'all' ? undefined : kind, accountId: account },
  });
  const names = useNames(acts.query.data);
  const columns = useColumns(names);
  return (
    <ListPanel
      title={texts.audit}
      actions={<Filters />}
      help={texts.help}
      list={acts}
      empty={<EmptyState icon="search" title={texts.noActs} text={texts.noActsHelp} />}
      columns={columns}
      minWidth={1020}
      keyOf={({ id }) => id}
      onOpen={setShown}
    >
      {account !== undefined && (
        <div className="flex flex-wrap items-center gap-2 px-3 pb-2">
          <span>{texts.ofAccount(nameOf(account, names))}</span>
          <Button look="quiet" icon="x" onPress={() => filter({ account: undefined })}>
            {texts.everyAccount}
          </Button>
        </div>
      )}
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
    </ListPanel>
  );
}

/** The changes of the project, unless the other filters name an action or an account, which may be of sign-in. */
function useKind(): NonNullable<SettingsSearch['kind']> {
  const { act, kind, account } = useSearch({ from: '/p/$projectId/settings' });
  return kind ?? (act === undefined && account === undefined ? 'management' : 'all');
}

function Filters(): ReactNode {
  const texts = useTexts(auditTexts);
  const acts = textsIn(actTexts, usePreferences().language);
  const may = useMay();
  const { act } = useSearch({ from: '/p/$projectId/settings' });
  const kind = useKind();
  const filter: (changed: Partial<SettingsSearch>) => void = useChangeSearch();
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
    { title: texts.time, width: '190px', render: ({ at }) => formats.time(at) },
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
    { title: texts.address, width: '130px', look: 'code', render: ({ clientAddress }) => clientAddress },
    {
      title: texts.outcome,
      width: 'minmax(110px, 0.7fr)',
      render: ({ outcome }) => <Outcome outcome={outcome} />,
    },
  ];
}

interface ActDialogProps {
  readonly act: Act;
  readonly names: Names;
  readonly onClose: () => void;
  /** Shows the actions of the account. */
  readonly onAccount: (accountId: string) => void;
}

/** One action in words, and its record as it is stored. */
function ActDialog({ act: shown, names, onClose, onAccount }: ActDialogProps): ReactNode {
  const texts = useTexts(auditTexts);
  const acts = useTexts(actTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const { act, actor, at, clientAddress, details, outcome, requestId } = shown;
  const accountId = actor?.startsWith('u-') ? actor : null;
  const object = objectOf({ act, details }, names, values);
  return (
    <Dialog title={isKnownAct(act) ? acts[act] : act} onClose={onClose} width={640}>
      <Facts
        facts={[
          [texts.time, formats.time(at)],
          [texts.actor, actor === null ? texts.nobody : nameOf(actor, names)],
          [texts.object, object || null],
          [texts.address, clientAddress],
          [texts.request, requestId],
          [texts.outcome, <Outcome key="outcome" outcome={outcome} />],
        ]}
      />
      {outcome === null && <p className="text-sm text-soft">{texts.unknownHelp}</p>}
      <h3 className="font-medium">{texts.details}</h3>
      <CodeBlock label={texts.details} code={JSON.stringify(shown, null, 2)} isWrapped />
      {accountId !== null && (
        <DialogActions>
          <Button onPress={() => onAccount(accountId)}>{texts.onlyAccount}</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

type Act = RowOf<'GET /v1/audit'>;

/** Whether an action was done, or why it was refused. */
function Outcome({ outcome }: Pick<Act, 'outcome'>): ReactNode {
  const texts = useTexts(auditTexts);
  const values = useTexts(valueTexts);
  if (outcome === null) return <Badge>{texts.unknown}</Badge>;
  if (outcome === 'done') return <Badge>{texts.done}</Badge>;
  return <Badge tone="bad">{values.refusal(outcome)}</Badge>;
}
