import { type ReactNode, useState } from 'react';
import { Problem } from '../../../api/problem.ts';
import { useCall, useSettled } from '../../../api/use-call.ts';
import { Badge } from '../../../components/badge.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { FaultText } from '../../../components/states/page-state.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { typesTexts } from '../types-texts.ts';

interface TryDraftProps {
  readonly name: string;
  /** Null while it cannot be read. */
  readonly declaration: Readonly<Record<string, unknown>> | null;
}

/** Checks one event against the declaration in the editor, while either is typed. */
export function TryDraft({ name, declaration }: TryDraftProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [text, setText] = useState('');
  const [sent, settled] = [useSettled(text), useSettled(declaration)];
  const isAsked = name !== '' && settled !== null && sent.trim() !== '';
  const check = useCall(
    'POST /v1/event-types/{name}/check',
    { params: { name }, body: { declaration: settled ?? {}, texts: [sent] } },
    { enabled: isAsked },
  );
  const result = isAsked && check.error === null ? check.data?.texts[0] : undefined;
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={texts.trySample}
        help={texts.trySampleHelp}
        placeholder={texts.trySamplePlaceholder}
        value={text}
        onChange={setText}
        rows={5}
        isMonospace
      />
      <div role="status" className="flex flex-col gap-1">
        {result?.valid === true && (
          <span>
            <Badge tone="accent">{texts.trySampleValid}</Badge>
          </span>
        )}
        {result?.errors.map(({ location, reason, message }) => (
          <span key={`${location} ${message}`} className="text-bad">
            <FaultText location={location} reason={reason} message={message} />
          </span>
        ))}
        {isAsked && check.error instanceof Problem && (
          <span className="text-soft">{texts.trySampleLater}</span>
        )}
      </div>
    </div>
  );
}
