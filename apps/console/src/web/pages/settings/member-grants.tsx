import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { PageState } from '../../components/states/page-state.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { settingsTexts } from './settings-texts.ts';

interface MemberGrantsProps {
  readonly accountId: string;
  readonly isRemoval: boolean;
}

/** What a member made that still works, and what becomes of it. */
export function MemberGrants({ accountId, isRemoval }: MemberGrantsProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const grants = useCall('GET /v1/members/{accountId}/grants', { params: { accountId } });
  return (
    <PageState
      query={grants}
      isEmpty={({ keys, invitations, shares }) => keys.length + invitations.length + shares.length === 0}
      empty={<p className="text-soft">{texts.nothingLeft}</p>}
    >
      {({ keys, invitations, shares }) => (
        <div className="flex flex-col gap-3">
          <p>{isRemoval ? texts.limitedByRemoval : texts.limitedByRole}</p>
          <Named
            title={texts.keysLeft}
            names={keys.map(({ id, prefix, comment }) => [id, `${prefix}… ${comment}`])}
          />
          <Named
            title={texts.invitationsLeft}
            names={invitations.map(({ id, emailAddress, role }) => [
              id,
              `${emailAddress} (${values.role(role)})`,
            ])}
          />
          <Named title={texts.linksLeft} names={shares.map(({ id, dashboardName }) => [id, dashboardName])} />
        </div>
      )}
    </PageState>
  );
}

interface NamedProps {
  readonly title: string;
  /** Ids and names. */
  readonly names: readonly (readonly [string, string])[];
}

function Named({ title, names }: NamedProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="max-h-40 list-disc overflow-auto pl-5">
        {names.map(([id, name]) => (
          <li key={id} className="foreign">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
