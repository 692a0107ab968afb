import type { ReactNode } from 'react';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { type Permission, useMay } from '../../../components/states/permissions.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { valueTexts } from '../../../texts/value-texts.ts';
import { areas, areaTexts, roleTexts } from './role-texts.ts';

interface ScopeFieldsProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
  readonly isDisabled?: boolean;
}

const levels = ['none', 'read', 'write'] as const;
type Level = (typeof levels)[number];

/** The rights of a role or a key, by area, with what each permits. Nobody can give rights that they do not have. */
export function ScopeFields({ scopes, onChange, isDisabled = false }: ScopeFieldsProps): ReactNode {
  const texts = useTexts(roleTexts);
  const explained = useTexts(areaTexts);
  const values = useTexts(valueTexts);
  const may = useMay();
  const all = levelOf(scopes, 'all');
  const set = (area: string, level: Level) => {
    const others = scopes.filter((scope) => scope !== `${area}:read` && scope !== `${area}:write`);
    onChange(level === 'none' ? others : [...others, `${area}:${level}`]);
  };
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-1 font-medium">{texts.rights}</legend>
      {areas.map((area) => {
        const isCovered = area !== 'all' && all === 'write';
        // A key or role that has `all` includes what the user has, area by area.
        const mayGive = (level: Level) => area === 'all' || may(`${area}:${level}` as Permission);
        return (
          <div key={area} className="flex items-center gap-3 border-b border-line/60 py-1.5 last:border-0">
            <div className="flex min-w-0 flex-1 flex-col">
              <span className="font-medium">{values.area(area)}</span>
              <span className="text-sm text-soft">{explained[area]}</span>
            </div>
            <SelectField
              label={values.area(area)}
              isLabelHidden
              className="w-40 shrink-0"
              isDisabled={isDisabled || isCovered}
              value={isCovered ? 'write' : levelOf(scopes, area)}
              choices={levels.filter((level) => level === 'none' || isDisabled || mayGive(level))}
              labelOf={(level) => texts[level]}
              onChange={(level) => set(area, level)}
            />
          </div>
        );
      })}
      <div className="pt-2">
        <CheckField
          label={texts.personal}
          help={texts.personalHelp}
          isDisabled={isDisabled}
          isChecked={scopes.includes('personal:read')}
          onChange={(isChecked) =>
            onChange(
              isChecked ? [...scopes, 'personal:read'] : scopes.filter((scope) => scope !== 'personal:read'),
            )
          }
        />
      </div>
    </fieldset>
  );
}

function levelOf(scopes: readonly string[], area: string): Level {
  if (scopes.includes(`${area}:write`)) return 'write';
  return scopes.includes(`${area}:read`) ? 'read' : 'none';
}
