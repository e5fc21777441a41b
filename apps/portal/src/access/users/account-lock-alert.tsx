import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AccountLock, UserRow } from '@deviceportal/contract/access';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { useViewer } from '../../session/viewer-context.tsx';
import { useManageDisabledReason } from '../use-manage-disabled-reason.ts';

/** States since when an account is locked, with a button to unlock it. */
export function AccountLockAlert({
  user,
  lock,
}: {
  readonly user: Pick<UserRow, 'id' | 'username'>;
  readonly lock: AccountLock;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { detail } = useViewer();
  const manage = useManageDisabledReason();
  const reason = manage ?? (detail.userId === user.id ? t('access.user.notOneself') : undefined);
  const unlock = useMutation(
    api.access.users.unlock.mutationOptions({
      onError: useErrorFlash(),
      onSuccess: () => {
        void queryClient.invalidateQueries(api.access.pathFilter());
        void queryClient.invalidateQueries(api.auditTrail.pathFilter());
        flash.add({ type: 'success', content: t('access.lock.done', { name: user.username }) });
      },
    }),
  );
  return (
    <Alert
      type="warning"
      header={t('access.lock.title')}
      action={
        <Button
          loading={unlock.isPending}
          onClick={() => unlock.mutate({ id: user.id })}
          {...(reason === undefined ? {} : { disabled: true, disabledReason: reason })}
        >
          {t('access.lock.unlock')}
        </Button>
      }
    >
      <div>
        {t('access.lock.since', {
          count: lock.wrong,
          time: format.absolute(Date.parse(lock.since)),
        })}
      </div>
      <div>{t('access.lock.body')}</div>
    </Alert>
  );
}
