import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SettledField } from '../../components/fields/settled-field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import type { Content } from './use-dashboards.ts';

/** The filters of a dashboard. Their values are in the address. */
export function FilterFields({ content }: { readonly content: Content }): ReactNode {
  const texts = useTexts(dashboardsTexts);
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
        <div key={name} className="flex items-center gap-2">
          <span aria-hidden="true" className="foreign text-soft">
            {label ?? name}
          </span>
          <span className="flex w-36">
            <SettledField
              label={label ?? name}
              isLabelHidden
              placeholder={texts.filterAny}
              value={values?.[name] ?? value}
              onChange={(typed) => change(name, typed)}
            />
          </span>
        </div>
      ))}
    </div>
  );
}
