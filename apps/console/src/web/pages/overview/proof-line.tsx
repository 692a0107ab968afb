import { Fragment, type ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { Icon } from '../../look/icon.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

interface ProofLineProps {
  readonly events: AnswerOf<'GET /v1/overview'>['events'];
}

/** The sums that prove that no event is lost: accepted = stored + repeats + dead letters + on the way. */
export function ProofLine({ events }: ProofLineProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { accepted, stored, deduplicated, dead, pending, missing } = events;
  const isBroken = missing !== null && missing > 0;
  const verdict = missing === null ? texts.proofOpen : texts.proof;
  return (
    <SumLine
      label={texts.proof}
      isBad={isBroken}
      parts={[
        ['', accepted, texts.accepted],
        ['=', stored, texts.stored],
        ['+', deduplicated, texts.deduplicated],
        ['+', dead, texts.dead],
        ['+', pending, texts.pending],
      ]}
    >
      <div className="flex min-w-0 items-start gap-2">
        <Icon
          name={isBroken ? 'triangle-alert' : 'circle-check'}
          size={20}
          className={`shrink-0 ${isBroken ? 'text-bad' : 'text-accent'}`}
        />
        <div className="min-w-0">
          <p className={`text-lg font-semibold leading-5 ${isBroken ? 'text-bad' : ''}`}>
            {isBroken ? texts.proofBroken(formats.number(missing)) : verdict}
          </p>
          <p className="text-sm text-soft">{texts.proofText}</p>
        </div>
      </div>
    </SumLine>
  );
}

interface SumLineProps {
  readonly label: string;
  readonly isBad?: boolean;
  /** What the sums say. */
  readonly children: ReactNode;
  /** Each with the sign before it, which the first one has not. */
  readonly parts: readonly (readonly [sign: '' | '=' | '+', amount: number, name: string])[];
}

/** Amounts that make up a whole. On a phone one line each, so that the figures are in one column. */
export function SumLine({ label, isBad = false, children, parts }: SumLineProps): ReactNode {
  const formats = useFormats();
  return (
    <section
      aria-label={label}
      className={`flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-lg border bg-panel px-3 py-3 ${isBad ? 'border-bad' : ''}`}
    >
      {children}
      <div className="grid grid-cols-[auto_1fr] gap-x-3 max-md:w-full max-md:items-baseline md:flex md:items-end">
        {parts.map(([sign, amount, name]) => (
          <Fragment key={name}>
            <span className="text-soft md:pb-4 md:empty:hidden">{sign}</span>
            <span className="flex flex-col max-md:flex-row-reverse max-md:items-baseline max-md:justify-between md:items-center">
              <span className="text-lg font-semibold leading-5">{formats.number(amount)}</span>
              <span className="whitespace-nowrap text-sm text-soft">{name}</span>
            </span>
          </Fragment>
        ))}
      </div>
    </section>
  );
}
