import { type ReactNode, useState } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { Dialog, DialogEnd } from '../../../components/dialogs/dialog.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { Form } from '../../../components/form.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import type { Content } from '../use-dashboards.ts';
import { RefreshSelect } from './refresh-select.tsx';
import type { Draft } from './use-draft.ts';

interface SettingsDialogProps {
  readonly draft: Draft;
  readonly onClose: () => void;
  readonly onDone: (changed: Pick<Draft, 'name' | 'content'>) => void;
}

type Filter = NonNullable<Content['variables']>[number];
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const rangeDays = [1, 7, 30, 90];

export function SettingsDialog({ draft, onClose, onDone }: SettingsDialogProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [name, setName] = useState(draft.name);
  const [content, setContent] = useState(draft.content);
  const change = (changed: Partial<Content>) => setContent({ ...content, ...changed });
  const filters = content.variables ?? [];
  const isWrong = (at: number) =>
    !namePattern.test(filters[at]?.name ?? '') ||
    filters.some((each, index) => index < at && each.name === filters[at]?.name);
  const areRight = filters.every((_, index) => !isWrong(index));
  return (
    <Dialog title={texts.settings} onClose={onClose} width={640}>
      <Form onSubmit={() => onDone({ name: name.trim(), content: withoutEmpty(content) })}>
        <TextField label={texts.name} value={name} onChange={setName} maxLength={200} />
        <TextField
          label={texts.description}
          rows={2}
          value={content.description ?? ''}
          onChange={(description) => change({ description })}
          maxLength={2_000}
        />
        <div className="grid grid-cols-2 gap-4">
          <RangeField content={content} onChange={setContent} />
          <RefreshSelect
            seconds={content.refreshSeconds ?? 0}
            onChange={(refreshSeconds) => change({ refreshSeconds })}
          />
        </div>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">{texts.filters}</legend>
          {filters.map((filter, index) => (
            <FilterRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a filter is its position while its name is typed
              key={index}
              filter={filter}
              isWrong={filter.name !== '' && isWrong(index)}
              onChange={(changed) => change({ variables: filters.with(index, { ...filter, ...changed }) })}
              onRemove={() => change({ variables: filters.toSpliced(index, 1) })}
            />
          ))}
          <div>
            <Button
              icon="plus"
              isDisabled={filters.length >= 20}
              onPress={() => change({ variables: [...filters, { name: '', value: '' }] })}
            >
              {texts.addFilter}
            </Button>
          </div>
          <span className="text-sm text-soft">{texts.filterHelp}</span>
        </fieldset>
        <DialogEnd action={texts.apply} isDisabled={!areRight || name.trim() === ''} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Members that the user emptied are left out: the server refuses an empty one. */
function withoutEmpty({ description, refreshSeconds, variables, ...content }: Content): Content {
  return {
    ...content,
    ...(description !== undefined && description.trim() !== '' && { description: description.trim() }),
    ...(refreshSeconds !== undefined && refreshSeconds > 0 && { refreshSeconds }),
    ...(variables !== undefined && variables.length > 0 && { variables }),
  };
}

interface RangeFieldProps {
  readonly content: Content;
  readonly onChange: (content: Content) => void;
}

function RangeField({ content, onChange }: RangeFieldProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { range } = content;
  const seconds = range !== undefined && 'lastSeconds' in range ? range.lastSeconds : 0;
  return (
    <SelectField
      label={texts.opensWith}
      value={seconds / 86_400}
      choices={[...new Set([0, ...rangeDays, seconds / 86_400])]}
      labelOf={(each) => {
        if (each === 0) return texts.opensWithAny;
        return each === 1 ? texts.lastDay : texts.lastDays(String(each));
      }}
      onChange={(chosen) => {
        const { range: _, ...rest } = content;
        const lastSeconds = chosen * 86_400;
        onChange(lastSeconds === 0 ? rest : { ...rest, range: { lastSeconds } });
      }}
    />
  );
}

interface FilterRowProps {
  readonly filter: Filter;
  readonly isWrong: boolean;
  readonly onChange: (changed: Partial<Filter>) => void;
  readonly onRemove: () => void;
}

function FilterRow({ filter, isWrong, onChange, onRemove }: FilterRowProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  return (
    <div className="grid grid-cols-[1fr_1fr_1fr_auto] items-end gap-2">
      <TextField
        label={texts.name}
        isMonospace
        value={filter.name}
        error={isWrong ? texts.filterNameWrong : null}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={texts.filterLabel}
        value={filter.label ?? ''}
        onChange={(label) => onChange({ label })}
      />
      <TextField
        label={texts.filterValue}
        placeholder={texts.filterAny}
        value={filter.value}
        onChange={(value) => onChange({ value })}
      />
      <IconButton icon="trash" label={texts.removeNamed(filter.label ?? filter.name)} onPress={onRemove} />
    </div>
  );
}
