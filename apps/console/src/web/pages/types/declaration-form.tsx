import { type ReactNode, useMemo, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { useAct, useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { parseDeclaration } from './parse-declaration.ts';
import { typesTexts } from './types-texts.ts';

interface DeclarationFormProps {
  readonly name: string;
  readonly declaration: object;
  readonly onDone: () => void;
}

/** The declaration as JSON. It is tried on the server while it is typed, with the difference to the version before. */
export function DeclarationForm({ name, declaration, onDone }: DeclarationFormProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [text, setText] = useState(() => JSON.stringify(declaration, null, 2));
  const parsed = useMemo(() => parseDeclaration(text), [text]);
  const isTriable = parsed.declaration !== null && name !== '';
  const trial = useCall(
    'POST /v1/event-types/{name}/versions',
    { params: { name }, body: { declaration: parsed.declaration ?? {}, dryRun: true } },
    { enabled: isTriable },
  );
  const declare = useAct('POST /v1/event-types/{name}/versions', {
    changes: ['GET /v1/event-types', 'GET /v1/event-types/{name}', 'GET /v1/event-types/{name}/code'],
    onDone: ({ version }) => {
      showToast(texts.declared(String(version)));
      onDone();
    },
  });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.declaration !== null)
          declare.mutate({ params: { name }, body: { declaration: parsed.declaration } });
      }}
    >
      <TextField
        label={texts.declaration}
        value={text}
        onChange={setText}
        rows={16}
        isMonospace
        error={parsed.fault === null ? null : texts.notJson(parsed.fault)}
      />
      {isTriable && <Trial trial={trial} />}
      {declare.error !== null && <ProblemNote problem={declare.error} />}
      <Button
        type="submit"
        look="primary"
        className="self-start"
        isDisabled={!isTriable || declare.isPending}
      >
        {texts.declare}
      </Button>
    </form>
  );
}

type TrialQuery = ReturnType<typeof useCall<'POST /v1/event-types/{name}/versions'>>;

function Trial({ trial }: { readonly trial: TrialQuery }): ReactNode {
  const texts = useTexts(typesTexts);
  if (trial.error instanceof Problem) return <ProblemNote problem={trial.error} />;
  if (trial.data === undefined) return null;
  const { version, unchanged, changes } = trial.data;
  const isBreaking = changes.some(({ kind }) => kind === 'breaking');
  const verdict = isBreaking ? texts.breaking : texts[version === 1 ? 'first' : 'compatible'];
  return (
    <div role="status" className="flex flex-col gap-1">
      <span>
        <Badge tone={isBreaking ? 'bad' : 'accent'}>{unchanged ? texts.unchanged : verdict}</Badge>
      </span>
      {changes.map(({ pointer, change, kind, message }) => (
        <span
          key={`${pointer} ${change} ${message}`}
          className={`foreign ${kind === 'breaking' ? 'text-bad' : 'text-soft'}`}
        >
          <code className="font-mono text-sm">{pointer || '/'}</code> {message}
        </span>
      ))}
    </div>
  );
}
