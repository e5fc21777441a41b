import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { OwnTokensPanel } from '../api-tokens/own-tokens-panel.tsx';
import { useT } from '../i18n/use-t.ts';
import { loadConfig } from '../session/load-config.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { useViewer } from '../session/viewer-context.tsx';
import { PortalIdentity } from './portal-identity.tsx';
import { OwnRecordButton } from './own-record-button.tsx';
import { PasskeysPanel } from './passkeys/passkeys-panel.tsx';
import { PoolSessions } from './pool-sessions.tsx';

export const Route = createLazyRoute('/profile')({ component: ProfilePage });

/** Loaded only if the installation uses this provider. */
const AccountSections = lazy(async () => ({
  default: (await import('./account-sections.tsx')).AccountSections,
}));

/** The user’s account, its protection, and active sessions. */
function ProfilePage(): ReactNode {
  const t = useT();
  const { detail } = useViewer();
  const config = useQuery({ queryKey: ['browser-config'], queryFn: loadConfig });
  useBreadcrumbs([{ text: t('profile.title'), href: '/profile' }]);
  if (config.data === undefined) {
    if (config.error === null) return <PendingPage />;
    return <ErrorView error={config.error} onRetry={() => void config.refetch()} />;
  }
  const { authing } = config.data;
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('profile.title')}
        description={detail.displayName || detail.username}
        actions={<OwnRecordButton />}
      />
      <PortalIdentity />
      <PasskeysPanel />
      <OwnTokensPanel />
      {authing === null ? (
        <PoolSessions />
      ) : (
        <Suspense fallback={<PendingPage />}>
          <AccountSections provider={authing} />
        </Suspense>
      )}
    </SpaceBetween>
  );
}
