import type { ReactNode } from 'react';
import { TextField } from '../../../components/fields/text-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import { isOfRange, type Parameter } from './parameters.ts';

interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (typed: Readonly<Record<string, string>>) => void;
  readonly onRun: () => void;
}

/** A field for each `{name:Type}` of the statement. Enter runs it. */
export function ParameterFields({ parameters, typed, onChange, onRun }: ParameterFieldsProps): ReactNode {
  const texts = useTexts(sqlTexts);
  if (parameters.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-x-3 gap-y-2 border-t px-3 py-2">
      <legend className="sr-only">{texts.parameters}</legend>
      {parameters.map((parameter) => {
        const { name, type } = parameter;
        return (
          <TextField
            key={name}
            className="w-52"
            label={`${name} · ${type}`}
            isMonospace
            value={typed[name] ?? ''}
            onChange={(value) => onChange({ ...typed, [name]: value })}
            onKeyDown={({ key }) => {
              if (key === 'Enter') onRun();
            }}
            {...(isOfRange(parameter) && { placeholder: texts.ofRange })}
            {...(type.startsWith('Array(') && { help: texts.listHelp })}
          />
        );
      })}
    </fieldset>
  );
}
