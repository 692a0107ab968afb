import { type ReactNode, useState } from 'react';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { chartsOf } from './tile-charts/charts-of-tile.ts';
import { type DashboardRow, rangeOfText, type Tile, useEvery, useOpenDashboard } from './use-dashboards.ts';

interface SaveToDashboardProps {
  /** What the tile will show; null while it is not complete. */
  readonly asked: Pick<Tile, 'analysis' | 'query' | 'savedQueryId'> | null;
  readonly title: string;
  /** The default is the natural one of the analysis. */
  readonly chart?: Tile['chart'];
}

export function SaveToDashboard({ asked, ...tile }: SaveToDashboardProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="layers" needs="queries:write" isDisabled={asked === null} onPress={() => setOpen(true)}>
        {texts.saveToDashboard}
      </Button>
      <Dialog title={texts.saveToDashboard} isOpen={isOpen && asked !== null} onClose={() => setOpen(false)}>
        {asked !== null && <ChooseDashboard asked={asked} {...tile} onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

interface ChooseProps extends SaveToDashboardProps {
  readonly asked: NonNullable<SaveToDashboardProps['asked']>;
  readonly onClose: () => void;
}

function ChooseDashboard(props: ChooseProps): ReactNode {
  const dashboards = useEvery('GET /v1/dashboards');
  return (
    <PageState query={dashboards} skeletonLines={3}>
      {(rows) => <SaveForm {...props} dashboards={rows} />}
    </PageState>
  );
}

function SaveForm({
  asked,
  title: suggested,
  chart,
  onClose,
  dashboards,
}: ChooseProps & { readonly dashboards: readonly DashboardRow[] }): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { range } = useTime();
  const [id, setId] = useState(dashboards[0]?.id ?? '');
  const [name, setName] = useState('');
  const [title, setTitle] = useState(suggested);
  const open = useOpenDashboard();
  const onDone = (dashboard: DashboardRow) => {
    onClose();
    showToast(texts.savedTo(dashboard.name));
    open(dashboard);
  };
  const create = useAct('POST /v1/dashboards', { changes: ['GET /v1/dashboards'], onDone });
  const change = useAct('PATCH /v1/dashboards/{id}', {
    changes: ['GET /v1/dashboards', 'GET /v1/dashboards/{id}'],
    onDone,
  });
  const found = dashboards.find((each) => each.id === id);
  const tile: Tile = {
    ...asked,
    title: title.trim() === '' ? suggested : title.trim(),
    chart: chart ?? chartsOf(asked.analysis?.name)[0] ?? 'table',
  };
  const canSave = found !== undefined || name.trim() !== '';
  return (
    <Form
      onSubmit={() => {
        if (found === undefined) {
          const kept = rangeOfText(range);
          const content = { tiles: [tile], ...(kept !== undefined && { range: kept }) };
          if (name.trim() !== '') create.mutate({ body: { name: name.trim(), content } });
          return;
        }
        const { version, content } = found;
        const tiles = [...content.tiles, tile];
        change.mutate({ params: { id }, body: { version, content: { ...content, tiles } } });
      }}
    >
      <TextField label={texts.tileTitle} value={title} onChange={setTitle} maxLength={200} />
      <SelectField
        label={texts.dashboard}
        value={id}
        choices={[...dashboards.map((each) => each.id), '']}
        labelOf={(of) => dashboards.find((each) => each.id === of)?.name ?? texts.newDashboard}
        onChange={setId}
      />
      {found === undefined && (
        <TextField label={texts.name} value={name} onChange={setName} maxLength={200} />
      )}
      <DialogEnd
        action={texts.save}
        isDisabled={!canSave}
        act={found === undefined ? create : change}
        onClose={onClose}
      />
    </Form>
  );
}
