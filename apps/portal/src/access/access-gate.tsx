import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { NoAccess } from '../shell/no-access.tsx';
import { useViewer } from '../shell/viewer-context.tsx';

/** The pages of users and roles are for those who may read them. */
export function AccessGate({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return may('access:read') ? (
    children
  ) : (
    <NoAccess area={t('shell.nav.access')} permission="access:read" />
  );
}
