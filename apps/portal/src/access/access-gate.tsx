import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { placeOf } from '../ui/navigation.ts';
import { NoAccess } from '../ui/no-access.tsx';
import { useViewer } from '../session/viewer-context.tsx';

/** Restricts the access control screens to users with a read permission. */
export function AccessGate({ children }: { readonly children: ReactNode }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return may('access:read') ? (
    children
  ) : (
    <NoAccess area={t(placeOf(path)?.key ?? 'app.nav.access')} permission="access:read" />
  );
}
