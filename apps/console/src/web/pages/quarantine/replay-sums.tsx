import { Fragment, type ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

/** Where the rejected events of the filter are: in quarantine, on the way, stored. Absent before the first replay. */
export function ReplaySums({ filter }: { readonly filter: QuarantineFilter }): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const { type, reason } = filter;
  const sums = useCall(
    'GET /v1/quarantine/replays',
    { query: { ...(type !== undefined && { type }), ...(reason !== undefined && { reason }) } },
    { everyMs: 2_000 },
  );
  if (sums.data === undefined) return null;
  const { waiting, queued, stored, leftOut } = sums.data;
  if (queued + stored + leftOut === 0) return null;
  const parts = [
    [waiting, texts.sumsWaiting],
    [queued, texts.sumsQueued],
    [stored, texts.sumsStored],
    ...(leftOut > 0 ? ([[leftOut, texts.sumsLeftOut]] as const) : []),
  ] as const;
  return (
    <section
      aria-label={texts.sums}
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-lg border bg-panel px-3 py-3"
    >
      <div className="min-w-0">
        <h2 className="font-semibold">{texts.sums}</h2>
        <p className="text-sm text-soft">{texts.sumsText}</p>
      </div>
      <div role="status" className="flex items-end gap-3">
        {parts.map(([amount, name], index) => (
          <Fragment key={name}>
            {index > 0 && <span className="pb-4 text-soft">+</span>}
            <span className="flex flex-col items-end">
              <span className="text-lg font-semibold leading-5">{formats.number(amount)}</span>
              <span className="whitespace-nowrap text-sm text-soft">{name}</span>
            </span>
          </Fragment>
        ))}
      </div>
    </section>
  );
}
