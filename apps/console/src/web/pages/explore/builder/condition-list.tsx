import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { SettledField } from '../../../components/fields/settled-field.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { type Condition, comparisons, readValue, writeValue } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';

interface ConditionListProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly conditions: readonly Condition[];
  readonly members: readonly string[];
  readonly onChange: (conditions: Condition[]) => void;
}

/** Conditions on members; an event must meet all of them. */
export function ConditionList(props: ConditionListProps): ReactNode {
  const { label, isLabelHidden = false, conditions, members, onChange } = props;
  const texts = useTexts(exploreTexts);
  const replace = (index: number, changed: Partial<Condition>) =>
    onChange(conditions.map((each, at) => (at === index ? { ...each, ...changed } : each)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1 font-medium'}>{label}</legend>
      {conditions.map(({ member, is, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its position
        <div key={index} className="flex flex-col gap-1 rounded-md border p-2">
          <div className="flex items-end gap-1">
            <SettledField
              label={texts.member}
              isLabelHidden
              placeholder={texts.member}
              suggestions={members}
              value={member}
              onChange={(chosen) => replace(index, { member: chosen })}
            />
            <IconButton
              icon="x"
              label={texts.removeNamed(member)}
              onPress={() => onChange(conditions.filter((_, at) => at !== index))}
            />
          </div>
          <div className="flex items-end gap-1">
            <SelectField
              label={texts.comparison}
              isLabelHidden
              className="w-20"
              value={is}
              choices={comparisons}
              labelOf={(name) => texts[name]}
              onChange={(name) => replace(index, { is: name })}
            />
            <SettledField
              label={texts.value}
              isLabelHidden
              placeholder={texts.value}
              value={writeValue(value)}
              onChange={(text) => replace(index, { value: readValue(text) })}
            />
          </div>
        </div>
      ))}
      {conditions.length < 10 && (
        <Button
          look="quiet"
          icon="plus"
          className="-ml-2.5 self-start"
          onPress={() => onChange([...conditions, { member: '', is: 'equal', value: '' }])}
        >
          {texts.addCondition}
        </Button>
      )}
    </fieldset>
  );
}
