import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId } from '../../api/use-project-id.ts';
import { Notice, PageState } from '../../components/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { OpenDashboard } from './editing/open-dashboard.tsx';
import { useDashboards } from './use-dashboards.ts';

export function DashboardPage(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { id } = useParams({ from: '/p/$projectId/dashboards/$id' });
  const projectId = useProjectId();
  const dashboards = useDashboards();
  const found = dashboards.data?.find((each) => each.id === id);
  if (found !== undefined) return <OpenDashboard key={id} dashboard={found} />;
  return (
    <Page title={texts.title}>
      <PageState query={dashboards}>
        {() => (
          <Notice icon="layers" title={texts.missingTitle} text={texts.missingText}>
            <Link
              to="/p/$projectId/dashboards"
              params={{ projectId }}
              className="text-accent hover:underline"
            >
              {texts.toList}
            </Link>
          </Notice>
        )}
      </PageState>
    </Page>
  );
}
