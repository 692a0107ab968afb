import { type ReactNode, useState } from 'react';
import { useCall } from '../../api/use-call.ts';
import { SelectField } from '../../components/fields/select-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { Difference } from './change-list.tsx';
import { typesTexts } from './types-texts.ts';

interface VersionDifferenceProps {
  readonly name: string;
  /** At least two, the oldest first. */
  readonly versions: readonly { readonly version: number }[];
}

/** What changed from one version to another, forwards or backwards. */
export function VersionDifference({ name, versions }: VersionDifferenceProps): ReactNode {
  const texts = useTexts(typesTexts);
  const [chosen, setChosen] = useState<{ readonly from?: number; readonly to?: number }>({});
  const from = chosen.from ?? versions.at(-2)?.version ?? 1;
  const to = chosen.to ?? versions.at(-1)?.version ?? 1;
  const difference = useCall('GET /v1/event-types/{name}/difference', {
    params: { name },
    query: { from, to },
  });
  const choices = versions.map(({ version }) => version);
  const words = {
    unchanged: texts.unchanged,
    compatible: texts.differenceCompatible(String(from)),
    breaking: texts.differenceBreaking(String(from)),
  };
  const labelOf = (version: number) => texts.version(String(version));
  return (
    <Panel title={texts.difference}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label={texts.differenceFrom}
            value={from}
            choices={choices}
            labelOf={labelOf}
            onChange={(value) => setChosen({ ...chosen, from: value })}
          />
          <SelectField
            label={texts.differenceTo}
            value={to}
            choices={choices}
            labelOf={labelOf}
            onChange={(value) => setChosen({ ...chosen, to: value })}
          />
        </div>
        <PageState query={difference} skeletonLines={2}>
          {({ changes }) => <Difference changes={changes} isUnchanged={changes.length === 0} words={words} />}
        </PageState>
      </div>
    </Panel>
  );
}
