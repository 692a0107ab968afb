import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { PageState } from '../../components/states/page-state.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { settingsTexts } from './settings-texts.ts';

interface MemberGrantsProps {
  readonly accountId: string;
  /** The role that the member would get. Null for a removal. */
  readonly nextRole: string | null;
}

/** What a member made that still works, and what becomes of it. */
export function MemberGrants({ accountId, nextRole }: MemberGrantsProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const values = useTexts(valueTexts);
  const grants = useCall('GET /v1/members/{accountId}/grants', {
    params: { accountId },
    query: nextRole === null ? {} : { role: nextRole },
  });
  const keyFate = (loses: readonly string[]) => {
    if (loses.length === 0) return texts.stays;
    // A smaller role can leave the key less of a scope: to read, but not to write.
    return nextRole === null ? texts.losesAll : texts.loses(loses.join(', '));
  };
  return (
    <PageState
      query={grants}
      isEmpty={({ keys, invitations, shares }) => keys.length + invitations.length + shares.length === 0}
      empty={<p className="text-soft">{texts.nothingLeft}</p>}
    >
      {({ keys, invitations, shares }) => (
        <div className="flex flex-col gap-3">
          <p>{nextRole === null ? texts.limitedByRemoval : texts.limitedByRole}</p>
          <Named
            title={texts.keysLeft}
            left={keys.map(({ id, prefix, ending, comment, loses }) => ({
              id,
              name: `${prefix}…${ending} ${comment}`,
              fate: keyFate(loses),
            }))}
          />
          <Named
            title={texts.invitationsLeft}
            left={invitations.map(({ id, emailAddress, role, ends }) => ({
              id,
              name: `${emailAddress} (${values.role(role)})`,
              fate: ends ? texts.ends : texts.stays,
            }))}
          />
          <Named
            title={texts.linksLeft}
            left={shares.map(({ id, dashboardName, ends }) => ({
              id,
              name: dashboardName,
              fate: ends ? texts.ends : texts.stays,
            }))}
          />
        </div>
      )}
    </PageState>
  );
}

interface NamedProps {
  readonly title: string;
  readonly left: readonly { readonly id: string; readonly name: string; readonly fate: string }[];
}

function Named({ title, left }: NamedProps): ReactNode {
  if (left.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="max-h-40 list-disc overflow-auto pl-5">
        {left.map(({ id, name, fate }) => (
          <li key={id}>
            <span className="foreign">{name}</span>: {fate}
          </li>
        ))}
      </ul>
    </section>
  );
}
