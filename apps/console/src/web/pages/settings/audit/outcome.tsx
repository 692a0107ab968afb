import type { ReactNode } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { Badge } from '../../../components/badge.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { valueTexts } from '../../../texts/value-texts.ts';
import { auditTexts } from './audit-texts.ts';

export type Act = RowOf<'GET /v1/audit'>;

/** Whether an action was done, or why it was refused. */
export function Outcome({ outcome }: Pick<Act, 'outcome'>): ReactNode {
  const texts = useTexts(auditTexts);
  const values = useTexts(valueTexts);
  if (outcome === null) return <Badge>{texts.unknown}</Badge>;
  if (outcome === 'done') return <Badge>{texts.done}</Badge>;
  return <Badge tone="bad">{values.refusal(outcome)}</Badge>;
}
