import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { FaultText, PageState } from '../../components/states/page-state.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { reasonName } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { findPointer } from './find-pointer.ts';
import type { QuarantineSearch } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

interface EntryPanelProps {
  readonly id: string;
  /** Shows all events with the same fault, where they can be mended. */
  readonly onMend?: (group: QuarantineSearch) => void;
}

export function EntryPanel({ id, onMend }: EntryPanelProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const entry = useCall('GET /v1/quarantine/{id}', { params: { id } });
  return (
    <Panel title={texts.event}>
      <PageState query={entry}>{(data) => <Entry entry={data} onMend={onMend} />}</PageState>
    </Panel>
  );
}

interface EntryProps {
  readonly entry: AnswerOf<'GET /v1/quarantine/{id}'>;
  readonly onMend: EntryPanelProps['onMend'];
}

function Entry({ entry, onMend }: EntryProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const { language } = usePreferences();
  const { kind, type, pointer, reason, texts: bodies, truncated, sdk, requestId, accountId } = entry;
  return (
    <div className="flex flex-col gap-3">
      <p className="foreign">
        <span className="font-medium text-bad">{reasonName(reason, language)}</span>{' '}
        <FaultText location={pointer} reason={reason} message={entry.message} />
      </p>
      {bodies === null && <p className="text-soft">{texts.hiddenBody}</p>}
      {bodies?.slice(0, 3).map((body, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bodies of one entry may be equal
        <MarkedBody key={index} body={body} pointer={pointer} />
      ))}
      {truncated && <p className="text-soft">{texts.truncated}</p>}
      <Facts
        isMonospace
        facts={[
          [texts.sdk, sdk],
          [texts.request, requestId],
          [texts.account, accountId],
        ]}
      />
      {onMend !== undefined && kind === 'rejected' && type !== null && (
        <div>
          <Button icon="arrow-right" onPress={() => onMend({ kind, type, reason })}>
            {texts.mend}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The body exactly as it was sent, with the member that is wrong marked. */
function MarkedBody({
  body,
  pointer,
}: {
  readonly body: string;
  readonly pointer: string | null;
}): ReactNode {
  const texts = useTexts(quarantineTexts);
  const place = useMemo(() => (pointer === null ? null : findPointer(body, pointer)), [body, pointer]);
  if (place === null) return <CodeBlock label={texts.body} code={body} isWrapped />;
  return (
    <CodeBlock label={texts.body} code={body} isWrapped>
      {body.slice(0, place.start)}
      <mark
        title={texts.fault}
        className="rounded-sm bg-transparent font-semibold text-bad underline decoration-wavy underline-offset-2"
      >
        {body.slice(place.start, place.end)}
      </mark>
      {body.slice(place.end)}
    </CodeBlock>
  );
}
