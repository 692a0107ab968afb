import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { PageState } from '../../components/page-state.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

interface AttentionProps {
  readonly counts: UseQueryResult<AnswerOf<'GET /v1/quarantine/counts'>, Error>;
}

const mostShown = 6;

/** What somebody should mend, each linked to where that is done. */
export function Attention({ counts }: AttentionProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const projectId = useProjectId();
  return (
    <Panel title={texts.attention}>
      <PageState
        query={counts}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <p className="flex items-center gap-2 text-soft">
            <Icon name="circle-check" className="text-accent" />
            {texts.attentionNone}
          </p>
        }
      >
        {({ results }) => (
          <ul className="flex flex-col gap-1">
            {results
              .toSorted((a, b) => b.events - a.events)
              .slice(0, mostShown)
              .map(({ kind, type, version, reason, events }) => (
                <li key={`${kind} ${type} ${version} ${reason}`}>
                  <Link
                    to="/p/$projectId/quarantine"
                    params={{ projectId }}
                    search={{ kind, reason, ...(type !== null && { type }) }}
                    className="flex items-center gap-2 rounded-md px-1 py-0.5 hover:bg-raised"
                  >
                    <Icon name="shield-alert" className="text-bad" />
                    <span className="foreign min-w-0 flex-1">
                      {texts[kind === 'dead' ? 'attentionDead' : 'attentionRejected'](
                        formats.number(events),
                        type ?? texts.unknownType,
                      )}
                      <span className="text-soft"> · {reason}</span>
                    </span>
                    <Icon name="chevron-right" size={14} className="text-soft" />
                  </Link>
                </li>
              ))}
          </ul>
        )}
      </PageState>
    </Panel>
  );
}
