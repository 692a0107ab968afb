import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './account-texts.ts';
import { SecondFactor } from './second-factor.tsx';
import { SessionList } from './session-list.tsx';

/** What belongs to the user and to no project: the address, the second factor, the sessions. */
export function AccountPage(): ReactNode {
  const texts = useTexts(accountTexts);
  const account = useCall('GET /session/account');
  return (
    <Page title={texts.title}>
      <PageState query={account}>
        {({ emailAddress, emailVerified, hasTwoFactor }) => (
          <div className="grid gap-3 lg:grid-cols-2">
            <Panel title={texts.address}>
              <p className="foreign flex items-center gap-2">
                {emailAddress ?? texts.noAddress}
                {emailAddress !== null && !emailVerified && <Badge tone="bad">{texts.unverified}</Badge>}
              </p>
            </Panel>
            <SecondFactor isOn={hasTwoFactor} emailAddress={emailAddress} />
          </div>
        )}
      </PageState>
      <SessionList />
    </Page>
  );
}
