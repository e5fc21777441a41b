import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { StatusOf } from '../ui/status-of.tsx';
import { Time } from '../ui/time/time.tsx';
import { useDeviceStatus } from './device-status-store.ts';
import type { DeviceStatusFacts } from './patch-device-rows.ts';
import { statusReason } from './status-words.ts';

/** The status of a device with its time and reason, updated by the live channel. */
export function DeviceStatus({ device }: { readonly device: DeviceRow }): ReactNode {
  const status = useDeviceStatus(device);
  return <DeviceStatusView status={status} />;
}

export function DeviceStatusView({ status }: { readonly status: DeviceStatusFacts }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { lifecycle, connectivity, connectivitySince } = status;
  if (lifecycle === 'suspended' || lifecycle === 'retired') {
    return <StatusOf kind="deviceLifecycle" value={lifecycle} />;
  }
  const why = statusReason(status, { t, language });
  return (
    <span>
      <StatusOf kind="connectivity" value={connectivity} />
      {why === '' ? null : (
        <Box variant="span" color="text-body-secondary" fontSize="body-s">
          {' · '}
          {why}
        </Box>
      )}
      {connectivitySince === null || connectivity === 'online' ? null : (
        <Box variant="span" color="text-body-secondary" fontSize="body-s">
          {' · '}
          <Time at={connectivitySince} />
        </Box>
      )}
    </span>
  );
}

/** The time of the last contact, updated by the live channel. */
export function LastSeen({ device }: { readonly device: DeviceRow }): ReactNode {
  return <Time at={useDeviceStatus(device).lastSeenAt} />;
}
