import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-dialog.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { download } from '../../export/download.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { playersTexts } from './players-texts.ts';

interface ErasureProps {
  readonly accountId: string;
  readonly name: string;
  readonly erasures: UseQueryResult<AnswerOf<'GET /v1/erasures'>>;
  readonly isErasable: boolean;
}

/** Erases a player, shows how far it is, and its certificate. */
export function Erasure({ accountId, name, erasures, isErasable }: ErasureProps): ReactNode {
  const texts = useTexts(playersTexts);
  const formats = useFormats();
  const [mode, setMode] = useState<'remove' | 'mask'>('remove');
  const erase = useAct('POST /v1/players/{accountId}/erasure', {
    changes: ['GET /v1/erasures', 'GET /v1/players', 'GET /v1/players/{accountId}'],
  });
  return (
    <Panel
      title={texts.erasure}
      actions={
        isErasable && (
          <ConfirmButton
            needs="players:write"
            title={texts.erase}
            name={name}
            act={erase}
            input={{ params: { accountId }, body: { mode } }}
          >
            <p className="pb-3">{texts.eraseText}</p>
            <SelectField
              label={texts.eraseMode}
              value={mode}
              onChange={setMode}
              choices={['remove', 'mask']}
              labelOf={(each) => (each === 'mask' ? texts.eraseMask : texts.eraseRemove)}
            />
          </ConfirmButton>
        )
      }
    >
      <PageState query={erasures} skeletonLines={1} empty={<p className="text-soft">{texts.eraseText}</p>}>
        {({ results }) =>
          results.map(({ id, requested, state, fault, certificate }) => (
            <div key={id} role="status" className="flex flex-col gap-2">
              <p>
                {formats.time(Object(certificate)['completed'] ?? requested)} ·{' '}
                {state === 'done' ? texts.erased : texts.erasing}
              </p>
              {fault !== null && (
                <p className="text-bad">
                  {texts.erasureFault} <span className="foreign font-mono text-sm">{fault}</span>
                </p>
              )}
              {certificate !== null && <Certificate certificate={certificate} id={id} />}
            </div>
          ))
        }
      </PageState>
    </Panel>
  );
}

export function Certificate({
  certificate,
  id,
}: {
  readonly certificate: object;
  readonly id: string;
}): ReactNode {
  const texts = useTexts(playersTexts);
  const text = JSON.stringify(certificate, null, 2);
  return (
    <>
      <CodeBlock label={texts.certificate} code={text} />
      <Button icon="download" className="self-start" onPress={() => download(`erasure-${id}.json`, text)}>
        {texts.download}
      </Button>
    </>
  );
}
