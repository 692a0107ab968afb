import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useMay } from '../../components/states/permissions.tsx';
import { Icon } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { germanFor, type Language, type Words } from '../../texts/define-texts.ts';
import { reasonName } from '../../texts/fault-texts.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import type { Formats } from '../../time/format-values.ts';
import { attentionSteps } from './attention-steps.ts';
import { attentionTexts } from './attention-texts.ts';

export type AttentionItem = AnswerOf<'GET /v1/overview'>['attention'][number];

const icons = { alarm: 'circle-alert', warning: 'triangle-alert', info: 'info' } as const;

interface AttentionListProps {
  readonly items: readonly AttentionItem[];
  /** Said when there is nothing. */
  readonly none: string;
}

/** What somebody should mend, each linked to where that is done. */
export function AttentionList({ items, none }: AttentionListProps): ReactNode {
  const texts = useTexts(attentionTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  if (items.length === 0) return <NothingToMend text={none} />;
  return (
    <ul className="-mx-1 flex flex-col gap-1">
      {items.map((item) => {
        const { kind, severity, target } = item;
        return (
          <li key={`${kind} ${target.type} ${target.reason}`}>
            <TargetLink item={item}>
              <Icon
                name={icons[severity]}
                className={`mt-0.5 shrink-0 ${severity === 'info' ? 'text-soft' : 'text-bad'}`}
              />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="foreign">
                  <span className="sr-only">{texts[severity]}: </span>
                  {titleOf(item, { texts, formats, language })}
                </span>
                <span className="text-soft">{texts[`${kind}Advice`]}</span>
              </span>
            </TargetLink>
            <Help kind={kind} />
          </li>
        );
      })}
    </ul>
  );
}

export function NothingToMend({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="flex items-center gap-2 text-soft">
      <Icon name="circle-check" className="shrink-0 text-accent" />
      {text}
    </p>
  );
}

function Help({ kind }: Pick<AttentionItem, 'kind'>): ReactNode {
  const texts = useTexts(attentionTexts);
  const { language } = usePreferences();
  if (kind === 'noEvents') return null;
  const { steps, chapter } = attentionSteps[kind];
  return (
    <details className="pb-1 pl-7">
      <summary className="w-fit cursor-pointer py-0.5 text-accent">{texts.steps}</summary>
      <ol className="flex list-decimal flex-col gap-1 py-1 pl-5">
        {(germanFor(language)?.stepsGerman[kind] ?? steps).map((step) => (
          <li key={step}>
            {/* Every second part stands between backticks. */}
            {step.split('`').map((part, index) =>
              index % 2 === 0 ? (
                part
              ) : (
                <code key={part} className="foreign font-mono text-sm">
                  {part}
                </code>
              ),
            )}
          </li>
        ))}
      </ol>
      {chapter !== null && <p className="text-soft">{texts.chapter(chapter)}</p>}
    </details>
  );
}

const row = 'flex items-start gap-2 rounded-md px-1 py-1';

/** The part of Pipeline that shows the cause. */
const placesOfPipeline: Readonly<Partial<Record<AttentionItem['kind'], string>>> = {
  insertsDelayed: 'installation',
  queueFull: 'installation',
  diskFull: 'installation',
  queueUnavailable: 'installation',
  warehouseUnavailable: 'installation',
};

interface TargetLinkProps {
  readonly item: AttentionItem;
  readonly children: ReactNode;
}

function TargetLink({ item: { kind: fault, target }, children }: TargetLinkProps): ReactNode {
  const { page, kind, type, reason } = target;
  const may = useMay();
  // A role that may not open the quarantine reads what is wrong, without a way to it.
  if (page === 'quarantine' && !may('quarantine:read')) return <div className={row}>{children}</div>;
  const place = placesOfPipeline[fault];
  const link = {
    from: '/p/$projectId',
    className: `${row} hover:bg-raised`,
    children: (
      <>
        {children}
        {(page !== 'pipeline' || place !== undefined) && (
          <Icon name="chevron-right" size={14} className="mt-1 shrink-0 text-soft" />
        )}
      </>
    ),
  } as const;
  if (page === 'quarantine')
    return (
      <Link {...link} to="/p/$projectId/quarantine" search={{ kind, type: type ?? undefined, reason }} />
    );
  if (page === 'eventTypes' && typeof type === 'string')
    return <Link {...link} to="/p/$projectId/types/$name" params={{ name: type }} />;
  if (page === 'pipeline') return <Link {...link} to="/p/$projectId/pipeline" hash={place ?? ''} />;
  return <Link {...link} to="/p/$projectId/overview" />;
}

function titleOf(
  { kind, count, target }: AttentionItem,
  {
    texts,
    formats,
    language,
  }: { readonly texts: Words<typeof attentionTexts>; readonly formats: Formats; readonly language: Language },
): string {
  const events = formats.number(count ?? 0);
  const type = target.type ?? texts.unknownType;
  switch (kind) {
    case 'rejectedEvents':
      return texts.rejectedEvents(events, type, reasonName(target.reason ?? '', language));
    case 'viewFault':
      return texts.viewFault(type);
    case 'insertsDelayed':
      return texts.insertsDelayed(formats.duration(count ?? 0));
    case 'deadLetters':
      return texts.deadLetters(events);
    case 'eventsMissing':
      return texts.eventsMissing(events);
    default:
      return texts[kind];
  }
}
