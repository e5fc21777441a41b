import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { AddressSource } from '../../locations/address-source.tsx';
import { DeviceMap } from '../../locations/device-map.tsx';
import { accuracyWords, positionWords } from '../../locations/place-words.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import { DeviceStatusView } from '../device-status.tsx';
import { Labels } from '../list/device-cells.tsx';
import { EventTimeline } from './event-timeline.tsx';
import { ManagedNote } from './managed-note.tsx';

const EVENTS = 20;
const MAP_HEIGHT_PX = 180;

interface Part {
  readonly device: DeviceDetail;
}

export function OverviewTab({ device }: Part): ReactNode {
  const t = useT();
  return (
    <div className="dp-facts">
      <Grid
        gridDefinition={[{ colspan: { default: 12, s: 8 } }, { colspan: { default: 12, s: 4 } }]}
      >
        <SpaceBetween size="m">
          <ManagedNote device={device} />
          <Identity device={device} />
          <Connection device={device} />
          <Software device={device} />
        </SpaceBetween>
        <SpaceBetween size="m">
          <OwnerAndPlace device={device} />
          <Container header={<Header variant="h2">{t('devices.overview.timeline')}</Header>}>
            <EventTimeline deviceId={device.id} count={EVENTS} />
          </Container>
        </SpaceBetween>
      </Grid>
    </div>
  );
}

function Identity({ device }: Part): ReactNode {
  const t = useT();
  return (
    <Container header={<Header variant="h2">{t('devices.overview.identity')}</Header>}>
      <KeyValue
        items={[
          {
            label: t('devices.column.serialNumber'),
            value: (
              <CopyableId value={device.serialNumber} name={t('devices.column.serialNumber')} />
            ),
          },
          {
            label: t('devices.column.id'),
            value: <CopyableId value={device.id} name={t('devices.column.id')} />,
          },
          {
            label: t('devices.column.instanceId'),
            value: <CopyableId value={device.instanceId} name={t('devices.column.instanceId')} />,
          },
          { label: t('devices.column.model'), value: device.model },
          { label: t('devices.column.hardwareRevision'), value: device.hardwareRevision },
          {
            label: t('devices.column.lifecycle'),
            value: <StatusOf kind="deviceLifecycle" value={device.lifecycle} />,
          },
          { label: t('devices.column.labels'), value: <Labels labels={device.labels} /> },
          {
            label: t('devices.column.createdAt'),
            value: <Time at={device.createdAt} style="exact" />,
          },
          {
            label: t('devices.overview.updatedAt'),
            value: <Time at={device.updatedAt} style="exact" />,
          },
        ]}
      />
    </Container>
  );
}

function Connection({ device }: Part): ReactNode {
  const t = useT();
  const format = useFormat();
  const percent = (value: number | null): string | null =>
    value === null ? null : format.percent(value / 100);
  return (
    <Container header={<Header variant="h2">{t('devices.overview.connection')}</Header>}>
      <KeyValue
        items={[
          { label: t('devices.column.status'), value: <DeviceStatusView status={device} /> },
          {
            label: t('devices.column.lastSeen'),
            value: <Time at={device.lastSeenAt} style="exact" />,
          },
          { label: t('devices.column.ipAddress'), value: device.ipAddress },
          {
            label: t('devices.overview.uptime'),
            value:
              device.uptimeSeconds === null ? null : format.duration(device.uptimeSeconds * 1_000),
          },
          { label: t('devices.overview.disk'), value: percent(device.diskUsedPercent) },
          { label: t('devices.overview.memory'), value: percent(device.memoryUsedPercent) },
        ]}
      />
    </Container>
  );
}

function Software({ device }: Part): ReactNode {
  const t = useT();
  const components = device.software.slice(0, 6);
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <PortalLink href={`/devices/${device.id}?tab=versions`}>
              {t('devices.overview.allVersions')}
            </PortalLink>
          }
        >
          {t('devices.overview.software')}
        </Header>
      }
    >
      <KeyValue
        items={[
          { label: t('devices.column.softwareVersion'), value: device.softwareVersion },
          { label: t('devices.column.agentVersion'), value: device.agentVersion },
          { label: t('devices.overview.signatures'), value: <SignatureCheck device={device} /> },
          { label: t('devices.column.platform'), value: device.platform },
          ...components.map(({ component, version, since }) => ({
            label: component,
            value: (
              <>
                {version}{' '}
                <Box variant="small" color="text-body-secondary">
                  <Time at={since} />
                </Box>
              </>
            ),
          })),
        ]}
      />
    </Container>
  );
}

/** Whether the agent runs only signed commands. */
function SignatureCheck({ device }: Part): ReactNode {
  const t = useT();
  const current = device.instances.find(({ state }) => state === 'current');
  const checks = current?.checksSignatures ?? null;
  if (checks === null) return '-';
  return (
    <StatusIndicator type={checks ? 'success' : 'warning'}>
      {t(checks ? 'devices.overview.signatures.checked' : 'devices.overview.signatures.unchecked')}
    </StatusIndicator>
  );
}

function OwnerAndPlace({ device }: Part): ReactNode {
  const t = useT();
  const format = useFormat();
  const { place, owner } = device;
  return (
    <Container header={<Header variant="h2">{t('devices.overview.ownerAndPlace')}</Header>}>
      <SpaceBetween size="s">
        <KeyValue
          columns={2}
          items={[
            {
              label: t('devices.column.owner'),
              value:
                owner === null ? null : (
                  <PortalLink href={`/people/${owner.id}`}>{owner.name}</PortalLink>
                ),
            },
            {
              label: t('devices.column.country'),
              value: device.country === null ? null : format.country(device.country),
            },
            { label: t('devices.form.timeZone'), value: device.timeZone },
            {
              label: t('locations.column.place'),
              value:
                place === null ? null : (
                  <>
                    {positionWords(place, t, format)}{' '}
                    <Box variant="small" color="text-body-secondary">
                      {accuracyWords(place, t, format)} · <Time at={place.at} />
                      {place.source === 'address' ? <AddressSource /> : null}
                    </Box>
                  </>
                ),
            },
          ]}
        />
        {place === null ? null : (
          <DeviceMap
            place={place}
            online={device.connectivity === 'online' || device.connectivity === 'degraded'}
            heightPx={MAP_HEIGHT_PX}
          />
        )}
      </SpaceBetween>
    </Container>
  );
}
