import Button from '@cloudscape-design/components/button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** "Notify me when it is back online", with the state of that subscription. */
export function WaitForDevice({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const queries = useQueryClient();
  const waiting = useQuery(api.notifications.isWaitingForDevice.queryOptions({ deviceId }));
  const change = useMutation(
    api.notifications.waitForDevice.mutationOptions({
      onError: useErrorFlash(),
      onSettled: () => queries.invalidateQueries(api.notifications.pathFilter()),
    }),
  );
  const isWaiting = waiting.data === true;
  return (
    <Button
      iconName={isWaiting ? 'check' : 'notification'}
      loading={change.isPending}
      onClick={() => change.mutate({ deviceId, wait: !isWaiting })}
    >
      {t(isWaiting ? 'notifications.device.waiting' : 'notifications.device.wait')}
    </Button>
  );
}
