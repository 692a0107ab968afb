import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useAct } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './account-texts.ts';
import { SecondFactorSetup } from './second-factor-setup.tsx';

interface SecondFactorProps {
  readonly isOn: boolean;
  readonly emailAddress: string | null;
}

export function SecondFactor({ isOn, emailAddress }: SecondFactorProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [isRemoving, setRemoving] = useState(false);
  const [begun, setBegun] = useState<AnswerOf<'PUT /session/account/twofactor'> | null>(null);
  const begin = useAct('PUT /session/account/twofactor', { onDone: setBegun });
  const remove = useAct('DELETE /session/account/twofactor', {
    changes: ['GET /session/account'],
    onDone: () => {
      setRemoving(false);
      showToast(texts.factorRemoved);
    },
  });
  return (
    <Panel
      title={texts.factor}
      actions={<Badge tone={isOn ? 'accent' : 'plain'}>{isOn ? texts.factorOn : texts.factorOff}</Badge>}
    >
      <div className="flex flex-col items-start gap-3">
        <p className="text-soft">{texts.factorText}</p>
        {isOn ? (
          <Button look="danger" onPress={() => setRemoving(true)}>
            {texts.factorRemove}
          </Button>
        ) : (
          <Button look="primary" isDisabled={begin.isPending} onPress={() => begin.mutate({})}>
            {texts.factorBegin}
          </Button>
        )}
        <Refusal problem={begin.error} />
      </div>
      {begun !== null && (
        <SecondFactorSetup begun={begun} emailAddress={emailAddress ?? ''} onClose={() => setBegun(null)} />
      )}
      <ConfirmDialog
        title={texts.factorRemove}
        name={emailAddress ?? texts.factor}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate({})}
        act={remove}
      >
        {texts.factorRemoveText} {remove.error?.status === 403 && texts.recent}
      </ConfirmDialog>
    </Panel>
  );
}

/** A refusal for an old sign-in says what to do. */
function Refusal({ problem }: { readonly problem: Problem | null }): ReactNode {
  const texts = useTexts(accountTexts);
  if (problem?.status !== 403) return <ProblemNote problem={problem} />;
  return (
    <p role="alert" className="text-bad">
      {texts.recent}
    </p>
  );
}
