import { type ReactNode, useMemo, useState } from 'react';
import { useSettled } from '../../../api/use-call.ts';
import { Dialog, DialogEnd } from '../../../components/dialogs/dialog.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Form } from '../../../components/form.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { Builder } from '../../explore/builder/builder.tsx';
import { type ExploreSearch, emptyQuestion } from '../../explore/explore-search.ts';
import { exploreTexts } from '../../explore/explore-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import { chartsOf } from '../tile-charts/charts-of-tile.ts';
import { TileNote } from '../tile-charts/tile-note.tsx';
import { type Tile, useEvery } from '../use-dashboards.ts';
import { analysisOf, questionOf, type TitleWords, titleOf } from './analysis-of.ts';
import { TileView } from './tile-view.tsx';

interface TileDialogProps {
  /** Undefined for a new tile. */
  readonly tile: Tile | undefined;
  readonly onClose: () => void;
  readonly onDone: (tile: Tile) => void;
}

export function TileDialog(props: TileDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  return (
    <Dialog
      title={props.tile === undefined ? texts.addTile : texts.editTile}
      onClose={props.onClose}
      width={960}
    >
      <TileForm {...props} />
    </Dialog>
  );
}

type Source = 'analysis' | 'parameters' | 'savedQuery' | 'sql';

/** What a tile asks, as it is typed. */
interface Typed {
  readonly source: Source;
  readonly question: ExploreSearch;
  readonly parameters: string;
  readonly savedQueryId: string;
  readonly sql: string;
}

function TileForm({ tile, onClose, onDone }: TileDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const words = useTexts(exploreTexts);
  const queries = useEvery('GET /v1/saved-queries').data ?? [];
  const [typed, setTyped] = useState<Typed>(() => startOf(tile));
  const [title, setTitle] = useState(tile?.title ?? '');
  const [chart, setChart] = useState(tile?.chart);
  const change = (changed: Partial<Typed>) => setTyped({ ...typed, ...changed });
  const asked = askedOf(typed, tile);
  const possible = chartsOf(nameOf(typed, tile));
  const drawn = possible.find((each) => each === chart) ?? possible[0] ?? 'table';
  const savedQuery = queries.find(({ id }) => id === typed.savedQueryId);
  const suggested = suggestTitle(typed, words, savedQuery?.name ?? '');
  const shownTitle = title.trim() === '' ? suggested : title.trim();
  const asText = useSettled(
    asked === null ? null : JSON.stringify({ ...asked, title: shownTitle, chart: drawn }),
  );
  const settled = useMemo(() => (asText === null ? null : (JSON.parse(asText) as Tile)), [asText]);
  return (
    <Form
      className="grid items-start gap-4 md:grid-cols-2"
      onSubmit={() => {
        if (asked === null) return;
        const { position, columns } = tile ?? {};
        onDone({
          ...asked,
          title: shownTitle,
          chart: drawn,
          ...(position !== undefined && { position }),
          ...(columns !== undefined && { columns }),
        });
      }}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          label={texts.tileTitle}
          value={title}
          placeholder={suggested}
          onChange={setTitle}
          maxLength={200}
        />
        {tile === undefined && (
          <SelectField
            label={texts.source}
            value={typed.source}
            choices={['analysis', 'savedQuery', 'sql']}
            labelOf={(source) => texts[source]}
            onChange={(source) => change({ source })}
          />
        )}
        <AskedFields typed={typed} onChange={change} queries={queries} />
      </div>
      <div className="sticky top-4 flex min-w-0 flex-col gap-4">
        <section
          aria-label={texts.preview}
          className="flex h-80 min-w-0 flex-col rounded-lg border bg-ground"
        >
          {settled === null ? <TileNote text={texts.previewNone} /> : <TileView tile={settled} index={-1} />}
        </section>
        <SelectField
          label={texts.chart}
          value={drawn}
          choices={possible}
          labelOf={(each) => texts[`chart_${each}`]}
          onChange={setChart}
        />
        <DialogEnd
          action={tile === undefined ? texts.addTile : texts.apply}
          isDisabled={asked === null}
          onClose={onClose}
        />
      </div>
    </Form>
  );
}

interface AskedFieldsProps {
  readonly typed: Typed;
  readonly onChange: (changed: Partial<Typed>) => void;
  readonly queries: readonly { readonly id: string; readonly name: string }[];
}

function AskedFields({ typed, onChange, queries }: AskedFieldsProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  if (typed.source === 'analysis') {
    return (
      <div className="flex flex-col gap-2 rounded-lg border p-3">
        <Builder
          question={typed.question}
          hasCompare={false}
          onChange={(changed) => onChange({ question: { ...typed.question, ...changed } })}
        />
        <span className="text-sm text-soft">{texts.filterHelp}</span>
      </div>
    );
  }
  if (typed.source === 'parameters') {
    return (
      <TextField
        label={texts.parameters}
        isMonospace
        rows={10}
        value={typed.parameters}
        error={readParameters(typed.parameters) === null ? texts.parametersWrong : null}
        onChange={(parameters) => onChange({ parameters })}
        help={texts.filterHelp}
      />
    );
  }
  if (typed.source === 'savedQuery') {
    return (
      <SelectField
        label={texts.savedQuery}
        value={typed.savedQueryId}
        choices={['', ...queries.map(({ id }) => id)]}
        labelOf={(each) => queries.find(({ id }) => id === each)?.name ?? texts.choose}
        onChange={(savedQueryId) => onChange({ savedQueryId })}
        {...(queries.length === 0 && { help: texts.noSaved })}
      />
    );
  }
  return (
    <TextField
      label={texts.sql}
      isMonospace
      rows={10}
      value={typed.sql}
      onChange={(sql) => onChange({ sql })}
      help={texts.sqlHelp}
    />
  );
}

function startOf(tile: Tile | undefined): Typed {
  const known = tile?.analysis === undefined ? null : questionOf(tile.analysis);
  const question = known ?? { ...emptyQuestion, per: 'day' as const };
  const parameters = JSON.stringify(tile?.analysis?.parameters ?? {}, null, 2);
  const start = { question, parameters, savedQueryId: tile?.savedQueryId ?? '', sql: tile?.query?.sql ?? '' };
  return { ...start, source: known === null ? sourceOf(tile) : 'analysis' };
}

function sourceOf(tile: Tile | undefined): Source {
  if (tile === undefined) return 'analysis';
  if (tile.analysis !== undefined) return 'parameters';
  return tile.query === undefined ? 'savedQuery' : 'sql';
}

/** What the tile will ask; null while it is not complete. */
function askedOf(
  typed: Typed,
  tile: Tile | undefined,
): Pick<Tile, 'analysis' | 'query' | 'savedQueryId'> | null {
  const { source, question, savedQueryId, sql } = typed;
  if (source === 'analysis') {
    const analysis = analysisOf(question);
    return analysis && { analysis };
  }
  if (source === 'parameters') {
    const parameters = readParameters(typed.parameters);
    return tile?.analysis === undefined || parameters === null
      ? null
      : { analysis: { name: tile.analysis.name, parameters } };
  }
  if (source === 'savedQuery') return savedQueryId === '' ? null : { savedQueryId };
  return sql.trim() === '' ? null : { query: { ...tile?.query, sql } };
}

function nameOf({ source, question }: Typed, tile: Tile | undefined): string | undefined {
  return source === 'analysis' ? question.analysis : tile?.analysis?.name;
}

function readParameters(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function suggestTitle({ source, question }: Typed, words: TitleWords, queryName: string): string {
  if (source === 'savedQuery') return queryName;
  if (source !== 'analysis') return 'SQL';
  return titleOf(question, words);
}
