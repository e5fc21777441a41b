import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useT } from '../../i18n/use-t.ts';
import { StatusOf } from '../../ui/status-of.tsx';

/** Whether a user can sign in, and the reason if not. */
export function UserStatus({ user }: { readonly user: UserRow }): ReactNode {
  const t = useT();
  if (user.status !== 'Activated') return <StatusOf kind="user" value={user.status} />;
  if (user.lock !== null) {
    return <StatusIndicator type="warning">{t('access.lock.status')}</StatusIndicator>;
  }
  return user.lastSignInAt === null ? (
    <StatusIndicator type="pending">{t('access.users.invited')}</StatusIndicator>
  ) : (
    <StatusOf kind="user" value={user.status} />
  );
}
