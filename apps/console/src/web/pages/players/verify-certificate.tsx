import { type ReactNode, useState } from 'react';
import { useAct } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { parseDeclaration as parseObject } from '../types/parse-declaration.ts';
import { typesTexts } from '../types/types-texts.ts';
import { playersTexts } from './players-texts.ts';

/** Checks whether a certificate of an erasure is the one that this installation made. */
export function VerifyCertificate(): ReactNode {
  const texts = useTexts(playersTexts);
  const { notJson } = useTexts(typesTexts);
  const [text, setText] = useState('');
  const parsed = parseObject(text);
  const verify = useAct('POST /v1/erasures/verify');
  return (
    <Panel title={texts.verify}>
      <form
        className="flex max-w-3xl flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (parsed.declaration !== null) verify.mutate({ body: { certificate: parsed.declaration } });
        }}
      >
        <TextField
          label={texts.verifyText}
          value={text}
          onChange={setText}
          rows={4}
          isMonospace
          error={text === '' || parsed.fault === null ? null : notJson(parsed.fault)}
        />
        <div className="flex items-center gap-2">
          <Button type="submit" isDisabled={parsed.declaration === null || verify.isPending}>
            {texts.verifyAction}
          </Button>
          {verify.data !== undefined && (
            <span role="status">
              <Badge tone={verify.data.result === 'intact' ? 'accent' : 'bad'}>
                {texts[verify.data.result]}
              </Badge>
            </span>
          )}
        </div>
        {verify.error !== null && <ProblemNote problem={verify.error} />}
      </form>
    </Panel>
  );
}
