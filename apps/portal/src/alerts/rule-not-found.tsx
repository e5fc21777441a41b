import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalLink } from '../ui/portal-link.tsx';

/** The address names a rule that was deleted, or that belongs to another user. */
export function RuleNotFound(): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <PageHeader title={t('alerts.rule.notFound')} />
      <Alert type="info">
        {t('alerts.rule.notFoundBody')}{' '}
        <PortalLink href="/alerts?tab=rules">{t('alerts.tab.rules')}</PortalLink>
      </Alert>
    </SpaceBetween>
  );
}
