import { type ReactNode, useState } from 'react';
import { useAct } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { parseDeclaration as parseObject } from '../types/editor/parse-declaration.ts';
import { typesTexts } from '../types/types-texts.ts';
import { playersTexts } from './players-texts.ts';

/** Checks whether a certificate of an erasure is the one that this installation made. */
export function VerifyCertificate(): ReactNode {
  const texts = useTexts(playersTexts);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.verify}</Button>
      <Dialog title={texts.verify} isOpen={isOpen} onClose={() => setOpen(false)} width={640}>
        <VerifyForm text={text} onText={setText} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface VerifyFormProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

function VerifyForm({ text, onText, onClose }: VerifyFormProps): ReactNode {
  const texts = useTexts(playersTexts);
  const { notJson } = useTexts(typesTexts);
  const parsed = parseObject(text);
  const verify = useAct('POST /v1/erasures/verify');
  return (
    <Form
      onSubmit={() => {
        if (parsed.declaration !== null) verify.mutate({ body: { certificate: parsed.declaration } });
      }}
    >
      <TextField
        label={texts.verifyText}
        value={text}
        onChange={(typed) => {
          verify.reset();
          onText(typed);
        }}
        rows={8}
        isMonospace
        autoFocus
        error={text === '' || parsed.fault === null ? null : notJson(parsed.fault)}
      />
      {verify.data !== undefined && (
        <p role="status">
          <Badge tone={verify.data.result === 'intact' ? 'accent' : 'bad'}>{texts[verify.data.result]}</Badge>
        </p>
      )}
      <DialogEnd
        action={texts.verifyAction}
        isDisabled={parsed.declaration === null}
        act={verify}
        onClose={onClose}
        close={texts.close}
      />
    </Form>
  );
}
