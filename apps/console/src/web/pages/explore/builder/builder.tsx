import type { ReactNode } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { SettledField } from '../../../components/fields/settled-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import {
  analyses,
  type Condition,
  type ExploreSearch,
  perOf,
  persOf,
  timeColumns,
} from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { ConditionList } from './condition-list.tsx';
import { useMembers, useTypeNames } from './use-members.ts';

interface BuilderProps {
  readonly question: ExploreSearch;
  readonly onChange: (changed: Partial<ExploreSearch>) => void;
  /** Whether the period before can be compared with. The default is true. */
  readonly hasCompare?: boolean;
}

/** Asks for what the analysis needs, and nothing else. */
export function Builder({ question, onChange, hasCompare = true }: BuilderProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const { analysis, types, where, split, type, member, steps, windowHours, compare } = question;
  const names = useTypeNames();
  const members = useMembers(analysis === 'breakdown' ? type : (types[0] ?? ''));
  const hasTypes = analysis === 'volume' || analysis === 'players';
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label={texts.question}
        value={analysis}
        choices={analyses}
        labelOf={(name) => texts[name]}
        onChange={(name) => onChange({ analysis: name })}
        help={texts[`${analysis}Help` as const]}
      />
      {persOf[analysis].length > 0 && (
        <SelectField
          label={texts.per}
          value={perOf(analysis, question.per)}
          choices={persOf[analysis]}
          labelOf={(per) => texts[per]}
          onChange={(per) => onChange({ per })}
        />
      )}
      {analysis === 'volume' && (
        <SelectField
          label={texts.countedBy}
          value={question.by}
          choices={timeColumns}
          labelOf={(by) => texts[by]}
          onChange={(by) => onChange({ by })}
        />
      )}
      {hasTypes && (
        <TypeList names={names} chosen={types} onChange={(chosen) => onChange({ types: chosen })} />
      )}
      {analysis === 'breakdown' && (
        <>
          <SelectField
            label={texts.eventType}
            value={type}
            choices={['', ...names]}
            labelOf={(name) => name || '–'}
            onChange={(chosen) => onChange({ type: chosen, member: '' })}
          />
          <SettledField
            label={texts.member}
            suggestions={members}
            value={member}
            onChange={(chosen) => onChange({ member: chosen })}
          />
        </>
      )}
      {analysis === 'funnel' && (
        <>
          <StepList names={names} steps={steps} stepWhere={question.stepWhere} onChange={onChange} />
          <SettledField
            label={texts.window}
            value={String(windowHours)}
            onChange={(hours) => onChange({ windowHours: Number(hours) })}
          />
        </>
      )}
      {hasTypes && (
        <SettledField
          label={texts.splitBy}
          placeholder={texts.noSplit}
          suggestions={members}
          value={split}
          onChange={(chosen) => onChange({ split: chosen })}
        />
      )}
      {(hasTypes || analysis === 'breakdown') && (
        <ConditionList
          label={texts.conditions}
          conditions={where}
          members={members}
          onChange={(conditions) => onChange({ where: conditions })}
        />
      )}
      {hasTypes && hasCompare && (
        <CheckField
          label={texts.compare}
          isChecked={compare}
          onChange={(isChecked) => onChange({ compare: isChecked })}
        />
      )}
    </div>
  );
}

interface TypeListProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Some event types, each of which can be taken away again. */
function TypeList({ names, chosen, onChange }: TypeListProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const left = names.filter((name) => !chosen.includes(name));
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 font-medium">{texts.types}</legend>
      {chosen.length === 0 && <p className="text-soft">{texts.allTypes}</p>}
      {chosen.map((name, index) => (
        <div key={name} className="flex h-7 items-center gap-2 rounded-md border pl-2">
          <span className="foreign min-w-0 flex-1 truncate">{name}</span>
          <IconButton
            icon="x"
            label={texts.removeNamed(name)}
            onPress={() => onChange(chosen.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <SelectField
        label={texts.addType}
        isLabelHidden
        value=""
        choices={['', ...left]}
        labelOf={(name) => name || `${texts.addType} …`}
        onChange={(name) => name !== '' && onChange([...chosen, name])}
      />
    </fieldset>
  );
}

type Steps = Pick<ExploreSearch, 'steps' | 'stepWhere'>;

interface StepListProps extends Steps {
  readonly names: readonly string[];
  readonly onChange: (changed: Steps) => void;
}

/** The steps of a funnel in their order, each with its conditions. A type may be several steps. */
function StepList({ names, steps, stepWhere, onChange }: StepListProps): ReactNode {
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
        <IconButton icon="x" label={texts.removeNamed(type)} onPress={onRemove} />
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
