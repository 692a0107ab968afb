import { type ReactNode, useState } from 'react';
import { useAct, useCall } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState, ProblemNote } from '../../components/states/page-state.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { terminalLines } from '../overview/first-event/lines-of.ts';
import { SendButton } from '../overview/first-event/send-button.tsx';
import { sampleOf } from './editor/sample-of.ts';
import { typesTexts } from './types-texts.ts';

interface SendOneProps {
  readonly name: string;
  readonly declaration: object;
}

/** A line for a terminal that sends an event of this type. Keys are not stored: a new one makes the line complete. */
export function SendOne({ name, declaration }: SendOneProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [key, setKey] = useState<string | null>(null);
  const addresses = useCall('GET /session/addresses');
  const create = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => setKey(text),
  });
  return (
    <Panel
      title={texts.sendOne}
      actions={
        key === null && (
          <Button
            icon="key"
            needs="keys:write"
            isDisabled={create.isPending}
            onPress={() => create.mutate({ body: { kind: 'public', comment: texts.sendKeyComment } })}
          >
            {texts.sendKey}
          </Button>
        )
      }
    >
      <PageState query={addresses} skeletonLines={2}>
        {({ gateway }) => {
          const sent = { gateway, key: key ?? 'YOUR_KEY', type: name, sample: sampleOf(declaration) };
          return (
            <div className="flex flex-col gap-2">
              <CodeBlock label="curl" code={terminalLines(sent)[0]?.code ?? ''} isWrapped />
              {key !== null && <SendButton sent={sent} />}
            </div>
          );
        }}
      </PageState>
      <ProblemNote problem={create.error} />
    </Panel>
  );
}
