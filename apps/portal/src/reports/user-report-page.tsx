import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../shell/no-access.tsx';
import { PendingPage } from '../shell/pending-page.tsx';
import { useViewer } from '../shell/viewer-context.tsx';
import { UserReportScreen } from './user-report-screen.tsx';

export const Route = createLazyRoute('/reports/user-report')({ component: UserReportPage });

const route = getRouteApi('/reports/user-report');

const UserReportPrint = lazy(async () => ({
  default: (await import('./user-report-print.tsx')).UserReportPrint,
}));

function UserReportPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const search = route.useSearch();
  if (!may('reports:create')) {
    return <NoAccess area={t('shell.nav.userReport')} permission="reports:create" />;
  }
  const personId = search.person || search.user;
  if (search.print === 1 && personId !== '') {
    return (
      <Suspense fallback={<PendingPage />}>
        <UserReportPrint personId={personId} period={search.t} />
      </Suspense>
    );
  }
  return <UserReportScreen personId={personId} period={search.t} />;
}
