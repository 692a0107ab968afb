import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { toProblem } from '../../api/problem.ts';
import { useCall } from '../../api/use-call.ts';
import { EmptyState, PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { dashboardsTexts } from './dashboards-texts.ts';
import { OpenDashboard } from './editing/open-dashboard.tsx';

export function DashboardPage(): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const { id } = useParams({ from: '/p/$projectId/dashboards/$id' });
  const dashboard = useCall('GET /v1/dashboards/{id}', { params: { id } });
  const isMissing = dashboard.error !== null && toProblem(dashboard.error).reason === 'objectNotFound';
  if (!isMissing && dashboard.data?.id === id) return <OpenDashboard dashboard={dashboard.data} />;
  return (
    <Page>
      {isMissing ? (
        <EmptyState icon="layers" title={texts.missingTitle} text={texts.missingText}>
          <Link to="/p/$projectId/dashboards" from="/p/$projectId" className="text-accent hover:underline">
            {texts.toList}
          </Link>
        </EmptyState>
      ) : (
        <PageState query={dashboard}>{() => null}</PageState>
      )}
    </Page>
  );
}
