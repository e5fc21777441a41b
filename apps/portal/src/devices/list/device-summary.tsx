import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Spinner from '@cloudscape-design/components/spinner';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { followWithRouter } from '../../ui/follow-with-router.ts';
import { KeyValue } from '../../ui/key-value.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeviceStatusView } from '../device-status.tsx';
import { DeviceVerdicts } from '../device-verdicts.tsx';
import { EventTimeline } from '../detail/event-timeline.tsx';
import { useLiveDevice } from '../detail/use-live-device.ts';
import { RunCommandMenu } from '../run-command-menu.tsx';

const EVENTS = 3;

/** The split panel of a device: findings, key attributes, recent events, and actions. */
export function DeviceSummary({ deviceId }: { readonly deviceId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const query = useQuery(api.devices.get.queryOptions({ device: deviceId }));
  useLiveDevice(deviceId, deviceId);
  const device = query.data;
  if (query.isError) {
    return (
      <ErrorView
        error={query.error}
        place="alert"
        subject={{ kind: t('devices.kind'), id: deviceId }}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (device === undefined) return <Spinner />;
  return (
    <SpaceBetween size="m">
      <SpaceBetween direction="horizontal" size="xs">
        <Button variant="primary" href={`/devices/${device.id}`} onFollow={followWithRouter}>
          {t('devices.summary.open')}
        </Button>
        <RunCommandMenu targets={[device]} label={t('devices.command.run')} />
      </SpaceBetween>
      <DeviceVerdicts device={device} />
      <ColumnLayout columns={2}>
        <KeyValue
          columns={2}
          items={[
            { label: t('devices.column.status'), value: <DeviceStatusView status={device} /> },
            { label: t('devices.column.lastSeen'), value: <Time at={device.lastSeenAt} /> },
            { label: t('devices.column.name'), value: device.name },
            { label: t('devices.column.owner'), value: device.owner?.name },
            { label: t('devices.column.model'), value: device.model },
            { label: t('devices.column.softwareVersion'), value: device.softwareVersion },
            {
              label: t('devices.column.country'),
              value: device.country === null ? null : format.country(device.country),
            },
          ]}
        />
        <div>
          <Box variant="awsui-key-label">{t('devices.overview.timeline')}</Box>
          <EventTimeline deviceId={device.id} count={EVENTS} />
        </div>
      </ColumnLayout>
    </SpaceBetween>
  );
}
