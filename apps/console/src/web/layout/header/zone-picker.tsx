import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../look/icon.tsx';
import { changePreferences, viewerZone } from '../../look/preferences.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { layoutTexts } from '../layout-texts.ts';
import { useTime } from '../use-time.ts';

/** The time zone of all times and days of the page. */
export function ZonePicker(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { zone } = useTime();
  const navigate = useNavigate();
  const here = viewerZone();
  const others = Intl.supportedValuesOf('timeZone').filter((each) => each !== here && each !== 'UTC');
  return (
    <label className="flex h-7 items-center gap-1.5 rounded-md border border-edge bg-panel pl-2">
      <Icon name="globe" />
      <span className="sr-only">{texts.zone}</span>
      <select
        className="h-full min-w-0 max-w-40 truncate rounded-md pr-7 text-ink"
        value={zone}
        onChange={({ target }) => {
          void changePreferences({ zone: target.value });
          void navigate({ to: '.', search: (search) => ({ ...search, zone: target.value }) });
        }}
      >
        <option className="bg-panel" value="UTC">
          UTC
        </option>
        {here !== 'UTC' && (
          <option className="bg-panel" value={here}>
            {here}
          </option>
        )}
        {[here, 'UTC', ...others].includes(zone) || (
          <option className="bg-panel" value={zone}>
            {zone}
          </option>
        )}
        {others.map((each) => (
          <option className="bg-panel" key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
