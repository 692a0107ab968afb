import { Fragment, type ReactNode } from 'react';

interface FactsProps {
  /** Names with their values. One without a value is left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  readonly isMonospace?: boolean;
}

export function Facts({ facts, isMonospace = false }: FactsProps): ReactNode {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <Fragment key={name}>
              <dt className="text-soft">{name}</dt>
              <dd className={`foreign break-words ${isMonospace ? 'font-mono text-sm' : ''}`}>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
