import type { ReactNode } from 'react';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';

interface RefreshSelectProps {
  readonly seconds: number;
  readonly isLabelHidden?: boolean;
  readonly onChange: (seconds: number) => void;
}

const periods = [0, 10, 30, 60, 300, 900];

export function RefreshSelect({ seconds, ...props }: RefreshSelectProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  return (
    <SelectField
      {...props}
      label={texts.refreshLabel}
      value={seconds}
      choices={[...new Set([...periods, seconds])].toSorted((a, b) => a - b)}
      labelOf={(each) => (each === 0 ? texts.refreshOff : texts.refreshEvery(writePeriod(each, texts)))}
    />
  );
}

/** `30 s`, `5 min`. */
function writePeriod(
  seconds: number,
  texts: { seconds: (count: string) => string; minutes: (count: string) => string },
): string {
  return seconds % 60 === 0 ? texts.minutes(String(seconds / 60)) : texts.seconds(String(seconds));
}
