import { useNavigate } from '@tanstack/react-router';
import { readConditions } from '@tickrate/contract/conditions';
import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { useTypeNames } from '../explore/builder/use-members.ts';
import type { LiveSearch } from './live-search.ts';
import { liveTexts } from './live-texts.ts';

/** The filters of the stream, which are in the address. */
export function Filters({ filters }: { readonly filters: LiveSearch }): ReactNode {
  const texts = useTexts(liveTexts);
  const navigate = useNavigate();
  const [account, setAccount] = useState(filters.account ?? '');
  const [session, setSession] = useState(filters.session ?? '');
  const [where, setWhere] = useState(filters.where ?? '');
  const read = readConditions(where);
  const apply = (types: string | undefined) => {
    if (!read.ok) return;
    const wanted = {
      types,
      account: account.trim() || undefined,
      session: session.trim() || undefined,
      where: where.trim() || undefined,
    };
    void navigate({ to: '.', search: (search) => ({ ...search, ...wanted }) });
  };
  return (
    <Form
      data-search
      className="grid grid-cols-2 items-start gap-2 sm:flex sm:flex-wrap"
      onSubmit={() => apply(filters.types)}
    >
      <TypePicker types={filters.types} onChange={apply} />
      <TextField label={texts.account} value={account} onChange={setAccount} className={fieldShape} />
      <TextField label={texts.session} value={session} onChange={setSession} className={fieldShape} />
      <TextField
        label={texts.where}
        placeholder={texts.whereExample}
        value={where}
        onChange={setWhere}
        className={fieldShape}
        isMonospace
        error={read.ok ? null : texts.whereFault(read.part)}
      />
      <Button type="submit" icon="list-filter" className="sm:mt-6" isDisabled={!read.ok}>
        {texts.apply}
      </Button>
    </Form>
  );
}

interface TypePickerProps {
  /** Separated by commas. Undefined for all. */
  readonly types: string | undefined;
  readonly onChange: (types: string | undefined) => void;
}

/** Each choice adds a type, or takes it away. */
function TypePicker({ types, onChange }: TypePickerProps): ReactNode {
  const texts = useTexts(liveTexts);
  const known = useTypeNames();
  const chosen = types?.split(',').map((name) => name.trim()) ?? [];
  const names = [...new Set([...chosen, ...known])];
  const toggled = (name: string) =>
    chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
  return (
    <SelectField
      label={texts.types}
      className={fieldShape}
      value=""
      choices={['', ...(chosen.length > 0 ? [','] : []), ...names]}
      labelOf={(name) => {
        if (name === '' && chosen.length > 0) return chosen.join(', ');
        if (name === '' || name === ',') return texts.allTypes;
        return chosen.includes(name) ? `✓ ${name}` : name;
      }}
      onChange={(name) => onChange(name === ',' ? undefined : toggled(name).join(',') || undefined)}
    />
  );
}

/** On one line with the button at 1280 px, and never as long as a wide screen. */
const fieldShape = 'min-w-0 sm:max-w-72 sm:flex-[1_1_10rem]';
