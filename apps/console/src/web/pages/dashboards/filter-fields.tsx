import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import type { Content } from './range-of-dashboard.ts';

/** The filters of a dashboard. Their values are in the address. */
export function FilterFields({ content }: { readonly content: Content }): ReactNode {
  const { values } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { variables = [] } = content;
  if (variables.length === 0) return null;
  const change = (name: string, value: string) =>
    void navigate({
      to: '.',
      search: (search: object) => ({ ...search, values: { ...values, [name]: value } }),
      hash: true,
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {variables.map(({ name, label, value }) => (
        <FilterField
          key={`${name} ${values?.[name] ?? value}`}
          label={label ?? name}
          value={values?.[name] ?? value}
          onChange={(typed) => change(name, typed)}
        />
      ))}
    </div>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Asks again after Enter, or when the field is left: not with each letter. */
function FilterField({ label, value, onChange }: FilterFieldProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const [typed, setTyped] = useState(value);
  const send = () => typed !== value && onChange(typed);
  return (
    <Form className="flex items-center gap-2" onSubmit={send}>
      <span aria-hidden="true" className="foreign text-soft">
        {label}
      </span>
      <TextField
        label={label}
        isLabelHidden
        placeholder={texts.filterAny}
        value={typed}
        onChange={setTyped}
        onBlur={send}
        className="w-36"
      />
    </Form>
  );
}
