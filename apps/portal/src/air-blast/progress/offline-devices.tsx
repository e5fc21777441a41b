import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useRefreshOnSettled } from './use-refresh-on-settled.ts';

/** Offline devices that delay the stage, with a button for the operator to stop waiting. */
export function OfflineDevices({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const stop = useMutation(
    api.airBlast.stopWaiting.mutationOptions({
      ...useRefreshOnSettled(),
      onError: useErrorFlash(),
    }),
  );
  const { id, away, mine, state } = run;
  if (away === 0 || state === 'paused') return null;
  return (
    <Alert
      type="info"
      action={
        mine ? (
          <Button loading={stop.isPending} onClick={() => stop.mutate({ id })}>
            {t('airBlast.act.stopWaiting')}
          </Button>
        ) : null
      }
    >
      {t('airBlast.away', { devices: away })}
    </Alert>
  );
}
