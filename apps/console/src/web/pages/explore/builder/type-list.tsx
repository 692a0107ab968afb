import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';

interface TypeListProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
  /** What the list means when it is empty. */
  readonly whenEmpty?: string;
  readonly addLabel: string;
}

/** Some event types, each of which can be taken away again. */
export function TypeList(props: TypeListProps): ReactNode {
  const { label, names, chosen, onChange, whenEmpty, addLabel } = props;
  const texts = useTexts(exploreTexts);
  const left = names.filter((name) => !chosen.includes(name));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      {chosen.length === 0 && whenEmpty !== undefined && <p className="text-soft">{whenEmpty}</p>}
      {chosen.map((name, index) => (
        <div key={name} className="flex h-7 items-center gap-2 rounded-md border pl-2">
          <span className="foreign min-w-0 flex-1 truncate">{name}</span>
          <Button
            look="quiet"
            icon="x"
            aria-label={texts.removeNamed(name)}
            onPress={() => onChange(chosen.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <SelectField
        label={addLabel}
        isLabelHidden
        value=""
        choices={[
          { value: '', label: `${addLabel} …` },
          ...left.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => name !== '' && onChange([...chosen, name])}
      />
    </fieldset>
  );
}
