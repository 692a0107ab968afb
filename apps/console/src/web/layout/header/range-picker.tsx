import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../../components/button.tsx';
import { WallTimeField } from '../../components/fields/wall-time-field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { createFormats } from '../../time/format-values.ts';
import { fixedRangeText, parseRange, presetRanges } from '../../time/time-range.ts';
import { fromWallTime, toWallTime } from '../../time/wall-time.ts';
import { layoutTexts } from '../layout-texts.ts';
import { useTime } from '../use-time.ts';

export function RangePicker(): ReactNode {
  const texts = useTexts(layoutTexts);
  const { range, zone, setRange } = useTime();
  const describe = useDescribeRange(zone);
  return (
    <DialogTrigger>
      <Button
        icon="clock"
        className="min-w-0 max-sm:[&>svg]:hidden"
        aria-label={`${texts.range}: ${describe(range)}`}
      >
        <span className="min-w-0 max-w-64 truncate">{describe(range)}</span>
      </Button>
      <Popover className="overlay w-64 p-1" offset={4}>
        <AriaDialog aria-label={texts.range} className="flex flex-col outline-none">
          {({ close }) => (
            <>
              {presetRanges.map((preset) => (
                <Button
                  key={preset}
                  look="quiet"
                  className="justify-between"
                  aria-current={preset === range}
                  onPress={() => {
                    setRange(preset);
                    close();
                  }}
                >
                  {describe(preset)}
                  {preset === range && <Icon name="check" className="text-accent" />}
                </Button>
              ))}
              <CustomRange onDone={close} />
            </>
          )}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}

function CustomRange({ onDone }: { readonly onDone: () => void }): ReactNode {
  const texts = useTexts(layoutTexts);
  const { zone, resolve, setRange } = useTime();
  const [from, setFrom] = useState(() => toWallTime(resolve().fromMs, zone));
  const [to, setTo] = useState(() => toWallTime(resolve().toMs, zone));
  const [isWrong, setWrong] = useState(false);
  return (
    <Form
      className="mt-1 flex flex-col gap-2 border-t p-2"
      onSubmit={() => {
        const chosen = { fromMs: fromWallTime(from, zone), toMs: fromWallTime(to, zone) };
        const text = Number.isNaN(chosen.fromMs + chosen.toMs) ? '' : fixedRangeText(chosen);
        if (parseRange(text) === null) return setWrong(true);
        setRange(text);
        onDone();
      }}
    >
      <WallTimeField isInline label={texts.rangeFrom} value={from} onChange={setFrom} />
      <WallTimeField isInline label={texts.rangeTo} value={to} onChange={setTo} />
      {isWrong && (
        <span role="alert" className="text-sm text-bad">
          {texts.rangeInvalid}
        </span>
      )}
      <div className="flex items-center justify-between">
        <span className="truncate text-sm text-soft">{zone}</span>
        <Button type="submit">{texts.rangeApply}</Button>
      </div>
    </Form>
  );
}

/** A range of an address in words, with its times in the zone. */
export function useDescribeRange(zone: string): (text: string) => string {
  const texts = useTexts(layoutTexts);
  const { language } = usePreferences();
  return (text) => {
    const range = parseRange(text);
    if (range === null) return text;
    const formats = createFormats(language, zone);
    if (range.kind === 'fixed') return `${formats.time(range.fromMs)} – ${formats.time(range.toMs)}`;
    if (range.unit === 'h' && range.amount === 1) return texts.rangeLast(texts.hour);
    if (range.unit === 'd' && range.amount === 1) return texts.rangeLast(texts.hours('24'));
    const unit = { m: texts.minutes, h: texts.hours, d: texts.days }[range.unit];
    return texts.rangeLast(unit(formats.number(range.amount)));
  };
}
