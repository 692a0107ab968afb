import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import type { Condition, ExploreSearch } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { ConditionList } from './condition-list.tsx';
import { useMembers } from './use-members.ts';

type Steps = Pick<ExploreSearch, 'steps' | 'stepWhere'>;

interface StepListProps extends Steps {
  readonly names: readonly string[];
  readonly onChange: (changed: Steps) => void;
}

/** The steps of a funnel in their order, each with its conditions. A type may be several steps. */
export function StepList({ names, steps, stepWhere, onChange }: StepListProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const conditions = steps.map((_, index) => stepWhere[index] ?? []);
  const remove = (index: number) =>
    onChange({
      steps: steps.filter((_, at) => at !== index),
      stepWhere: conditions.filter((_, at) => at !== index),
    });
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{texts.steps}</legend>
      {steps.map((type, index) => (
        <Step
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its position; names repeat
          key={index}
          number={index + 1}
          type={type}
          where={conditions[index] ?? []}
          onRemove={() => remove(index)}
          onChange={(where) =>
            onChange({ steps, stepWhere: conditions.map((each, at) => (at === index ? where : each)) })
          }
        />
      ))}
      {steps.length < 10 && (
        <SelectField
          label={texts.addStep}
          isLabelHidden
          value=""
          choices={['', ...names]}
          labelOf={(name) => name || `${texts.addStep} …`}
          onChange={(name) =>
            name !== '' && onChange({ steps: [...steps, name], stepWhere: [...conditions, []] })
          }
        />
      )}
    </fieldset>
  );
}

interface StepProps {
  readonly number: number;
  readonly type: string;
  readonly where: readonly Condition[];
  readonly onRemove: () => void;
  readonly onChange: (where: Condition[]) => void;
}

function Step({ number, type, where, onRemove, onChange }: StepProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const members = useMembers(type);
  return (
    <div className="flex flex-col gap-1 rounded-md border px-2 pb-1">
      <div className="-mr-2 flex h-7 items-center gap-2">
        <span className="text-soft">{number}.</span>
        <span className="foreign min-w-0 flex-1 truncate">{type}</span>
        <Button look="quiet" icon="x" aria-label={texts.removeNamed(type)} onPress={onRemove} />
      </div>
      <ConditionList
        label={texts.conditionsOf(`${number}. ${type}`)}
        isLabelHidden
        conditions={where}
        members={members}
        onChange={onChange}
      />
    </div>
  );
}
