import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Dialog, DialogActions } from '../../../components/dialogs/dialog.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { valueTexts } from '../../../texts/value-texts.ts';
import { actTexts, auditTexts, isKnownAct } from './audit-texts.ts';
import { type Names, nameOf, objectOf } from './object-of.ts';
import { type Act, Outcome } from './outcome.tsx';

interface ActDialogProps {
  readonly act: Act;
  readonly names: Names;
  readonly onClose: () => void;
  /** Shows the actions of the account. */
  readonly onAccount: (accountId: string) => void;
}

/** One action in words, and its record as it is stored. */
export function ActDialog({ act: shown, names, onClose, onAccount }: ActDialogProps): ReactNode {
  const texts = useTexts(auditTexts);
  const acts = useTexts(actTexts);
  const values = useTexts(valueTexts);
  const formats = useFormats();
  const { act, actor, at, clientAddress, details, outcome, requestId } = shown;
  const accountId = actor?.startsWith('u-') ? actor : null;
  const object = objectOf({ act, details }, names, values);
  const facts = [
    [texts.at, formats.time(at)],
    [texts.actor, actor === null ? texts.nobody : nameOf(actor, names)],
    ...(object === '' ? [] : [[texts.object, object] as const]),
    [texts.address, clientAddress],
    [texts.request, requestId],
  ] as const;
  return (
    <Dialog title={isKnownAct(act) ? acts[act] : act} isOpen onClose={onClose} width={640}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-soft">{name}</dt>
            <dd className="foreign min-w-0 break-words">{value}</dd>
          </div>
        ))}
        <div className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-soft">{texts.outcome}</dt>
          <dd className="min-w-0">
            <Outcome outcome={outcome} />
            {outcome === null && <p className="text-sm text-soft">{texts.unknownHelp}</p>}
          </dd>
        </div>
      </dl>
      <h3 className="font-medium">{texts.details}</h3>
      <CodeBlock label={texts.details} code={JSON.stringify(shown, null, 2)} isWrapped />
      {accountId !== null && (
        <DialogActions>
          <Button onPress={() => onAccount(accountId)}>{texts.onlyAccount}</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
