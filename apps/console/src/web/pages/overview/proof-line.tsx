import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useFormats } from '../../layout/use-time.ts';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

/** The sums that prove that no event is lost: accepted = stored + repeats + dead letters + on the way. */
export function ProofLine({
  events,
}: {
  readonly events: AnswerOf<'GET /v1/pipeline'>['events'];
}): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { accepted, stored, deduplicated, dead, pending, missing } = events;
  const isBroken = missing !== null && missing > 0;
  const verdict = missing === null ? texts.proofOpen : texts.proof;
  const parts = [
    ['=', stored, texts.stored],
    ['+', deduplicated, texts.deduplicated],
    ['+', dead, texts.dead],
    ['+', pending, texts.pending],
  ] as const;
  return (
    <section
      aria-label={texts.proof}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border bg-panel px-3 py-2 ${isBroken ? 'border-bad' : ''}`}
    >
      <Icon
        name={isBroken ? 'triangle-alert' : 'circle-check'}
        className={isBroken ? 'text-bad' : 'text-accent'}
      />
      <span className={`font-medium ${isBroken ? 'text-bad' : ''}`}>
        {isBroken ? texts.proofBroken(formats.number(missing)) : verdict}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-2 md:ml-auto">
        <Amount value={formats.number(accepted)} name={texts.accepted} />
        {parts.map(([sign, value, name]) => (
          <span key={name} className="flex items-baseline gap-2">
            <span className="text-soft">{sign}</span>
            <Amount value={formats.number(value)} name={name} />
          </span>
        ))}
      </span>
    </section>
  );
}

function Amount({ value, name }: { readonly value: string; readonly name: string }): ReactNode {
  return (
    <span className="whitespace-nowrap">
      <span className="font-semibold">{value}</span> <span className="text-soft">{name}</span>
    </span>
  );
}
