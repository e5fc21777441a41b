import Alert from '@cloudscape-design/components/alert';
import Spinner from '@cloudscape-design/components/spinner';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { CheckInForecastLine } from '../devices/check-in-forecast-line.tsx';
import type { DeviceTabProps } from '../devices/detail/device-tab-props.ts';
import { GuideLink } from '../help/guide-link.tsx';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useDeviceFiles } from './files-store.ts';
import { FolderView } from './folder-view.tsx';
import { ReasonForm } from './reason-form.tsx';
import { TransferList } from './transfer-list.tsx';

/** The files of a device in its allowed folders, or why they cannot be reached. */
export function FilesTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { reason } = useDeviceFiles(device.id);
  const query = useQuery(
    api.deviceFiles.state.queryOptions(
      { deviceId: device.id },
      { refetchInterval: refreshMs.work },
    ),
  );
  if (query.data === undefined)
    return query.isError ? (
      <ErrorView error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Spinner />
    );
  const { offer, isConnected } = query.data;
  if (offer !== 'available')
    return (
      <Alert type="info">
        {t(`deviceFiles.offer.${offer}`)} <GuideLink name="device-files" />
      </Alert>
    );
  return (
    <SpaceBetween size="m">
      {isConnected ? null : (
        <Alert type="info" header={t('deviceFiles.offline.title')}>
          {t('deviceFiles.offline.body')}
          <CheckInForecastLine deviceId={device.id} />
        </Alert>
      )}
      <TransferList deviceId={device.id} />
      {isConnected && reason === '' ? <ReasonForm deviceId={device.id} /> : null}
      {isConnected && reason !== '' ? <FolderView device={device} reason={reason} /> : null}
    </SpaceBetween>
  );
}
