import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { navigateTo } from '../ui/navigate-to.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { AlertsTable } from './alerts-table.tsx';
import { EditRule } from './edit-rule.tsx';
import { NewRule } from './new-rule.tsx';
import { RulesTable } from './rules-table.tsx';
import { useManageAlertsReason } from './use-manage-alerts-reason.ts';

export const Route = createLazyRoute('/alerts')({ component: AlertsPage });

const route = getRouteApi('/alerts');

function AlertsPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const { create, edit } = route.useSearch();
  if (create || edit !== '') {
    if (!may('alerts:manage')) {
      return <NoAccess area={t('alerts.rule.new')} permission="alerts:manage" />;
    }
    return edit === '' ? <NewRule /> : <EditRule key={edit} id={edit} />;
  }
  if (!may('alerts:read')) {
    return <NoAccess area={t('app.nav.alerts')} permission="alerts:read" />;
  }
  return <Alerts />;
}

/** Firing alerts, resolved ones, and the rules. */
function Alerts(): ReactNode {
  const t = useT();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const reason = useManageAlertsReason();
  return (
    <SpaceBetween size="m">
      <PageHeader
        title={t('app.nav.alerts')}
        description={t('alerts.description')}
        actions={
          <Button
            variant="primary"
            onClick={() => navigateTo('/alerts?create=true')}
            {...disabledProps(reason)}
          >
            {t('alerts.rule.create')}
          </Button>
        }
      />
      <Tabs
        activeTabId={tab === '' ? 'firing' : tab}
        ariaLabel={t('app.nav.alerts')}
        onChange={({ detail: { activeTabId } }) =>
          void navigate({
            search: {
              tab: activeTabId === 'history' || activeTabId === 'rules' ? activeTabId : '',
            },
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          { id: 'firing', label: t('alerts.tab.firing'), content: <AlertsTable state="firing" /> },
          {
            id: 'history',
            label: t('alerts.tab.history'),
            content: <AlertsTable state="resolved" />,
          },
          { id: 'rules', label: t('alerts.tab.rules'), content: <RulesTable /> },
        ]}
      />
    </SpaceBetween>
  );
}
