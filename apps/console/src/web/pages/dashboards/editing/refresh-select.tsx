import type { ReactNode } from 'react';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';

interface RefreshSelectProps {
  readonly seconds: number;
  readonly isLabelHidden?: boolean;
  readonly onChange: (seconds: number) => void;
}

const periods = [0, 10, 30, 60, 300, 900];

export function RefreshSelect({ seconds, ...props }: RefreshSelectProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  return (
    <SelectField
      {...props}
      label={texts.refreshLabel}
      value={seconds}
      choices={[...new Set([...periods, seconds])].toSorted((a, b) => a - b)}
      labelOf={(each) => (each === 0 ? texts.refreshOff : texts.refreshEvery(formats.duration(each)))}
    />
  );
}
