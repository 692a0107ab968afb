import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { policyTexts } from './policy-texts.ts';

interface AddEntryProps {
  readonly label: string;
  readonly help: string;
  readonly onAdd: (name: string) => void;
}

/** Adds an entry with a name to a list of the form. Enter adds it too, and does not save the form. */
export function AddEntry({ label, help, onAdd }: AddEntryProps): ReactNode {
  const texts = useTexts(policyTexts);
  const [name, setName] = useState('');
  const add = () => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className="flex items-start gap-2">
      <TextField
        label={label}
        help={help}
        value={name}
        onChange={setName}
        autoComplete="off"
        className="w-full sm:w-[calc(50%-8px)]"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button icon="plus" className="mt-6" isDisabled={name.trim() === ''} onPress={add}>
        {texts.add}
      </Button>
    </div>
  );
}
