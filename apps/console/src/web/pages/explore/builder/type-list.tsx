import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';

interface TypeListProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Some event types, each of which can be taken away again. */
export function TypeList({ names, chosen, onChange }: TypeListProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const left = names.filter((name) => !chosen.includes(name));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium">{texts.eventTypes}</legend>
      {chosen.length === 0 && <p className="text-soft">{texts.allTypes}</p>}
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
        label={texts.addType}
        isLabelHidden
        value=""
        choices={['', ...left]}
        labelOf={(name) => name || `${texts.addType} …`}
        onChange={(name) => name !== '' && onChange([...chosen, name])}
      />
    </fieldset>
  );
}
