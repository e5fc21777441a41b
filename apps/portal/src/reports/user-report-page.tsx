import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { ReportScreen } from './report-screen.tsx';
import { RequestScreen } from './request-screen.tsx';
import './user-report.css';

export const Route = createLazyRoute('/reports/user-report')({ component: UserReportPage });

const route = getRouteApi('/reports/user-report');

function UserReportPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { person, user, report, t: period } = route.useSearch();
  if (!may('reports:create')) {
    return <NoAccess area={t('app.nav.userReport')} permission="reports:create" />;
  }
  if (report !== '') return <ReportScreen key={report} id={report} />;
  return <RequestScreen personId={person || user} period={period} />;
}
