import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { NoAccess } from '../ui/no-access.tsx';

/** Restricts the screens of webhooks to users who manage them. */
export function WebhookGate({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return may('webhooks:manage') ? (
    children
  ) : (
    <NoAccess area={t('app.nav.webhooks')} permission="webhooks:manage" />
  );
}
