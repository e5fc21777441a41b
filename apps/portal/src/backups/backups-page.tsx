import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AccessGate } from '../access/access-gate.tsx';
import { GuideLink } from '../help/guide-link.tsx';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { BackupAttempts } from './backup-attempts.tsx';
import { BackupProblem } from './backup-problem.tsx';
import { BackupStatus } from './backup-status.tsx';
import './backups.css';
import { StartBackupButton } from './start-backup-button.tsx';
import { useBackups } from './use-backups.ts';

export const Route = createLazyRoute('/uam/backups')({
  component: () => (
    <AccessGate>
      <BackupsPage />
    </AccessGate>
  ),
});

/** Whether the scheduled backups work, and how far the installation can be restored. */
function BackupsPage(): ReactNode {
  const t = useT();
  const query = useBackups();
  const { data, error, refetch } = query;
  if (data === undefined) {
    return error === null ? (
      <PendingPage />
    ) : (
      <ErrorView error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('app.nav.backups')}
        description={t('backups.description')}
        {...(data === null ? {} : { actions: <StartBackupButton of={data} /> })}
      />
      {data === null ? (
        <Alert type="warning" header={t('backups.off.title')}>
          {t('backups.off.body')} <GuideLink name="backups" />
        </Alert>
      ) : null}
      {data?.problem ? <BackupProblem of={data.problem} /> : null}
      {data === null ? null : <BackupStatus of={data} />}
      {data === null ? null : <BackupAttempts of={data.attempts} query={query} />}
    </SpaceBetween>
  );
}
