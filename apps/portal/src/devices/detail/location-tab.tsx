import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { DeviceMap } from '../../locations/device-map.tsx';
import { accuracyWords, positionWords } from '../../locations/place-words.ts';
import { AddressSource } from '../../locations/address-source.tsx';
import { SetPositionDialog } from '../../locations/set-position-dialog.tsx';
import { TrackSlider } from '../../locations/track-slider.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import type { DeviceTabProps } from './device-tab-content.tsx';

const SHOWN = 200;

/** Where the device is and was, drawn and as a table of the same. */
export function LocationTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const format = useFormat();
  const { may } = useViewer();
  const track = useQuery(
    api.locations.deviceTrack.queryOptions(
      { deviceId: device.id, limit: SHOWN },
      { enabled: may('locations:read') },
    ),
  );
  const [shown, setShown] = useState(0);
  const [isSetting, setSetting] = useState(false);
  const columns = useMemo(
    (): readonly TableColumn<DevicePlace>[] => [
      {
        id: 'at',
        header: t('locations.column.at'),
        cell: ({ at }) => <Time at={at} style="exact" />,
        rowHeader: true,
      },
      {
        id: 'place',
        header: t('locations.column.place'),
        cell: (place) => positionWords(place, t, format),
      },
      {
        id: 'accuracy',
        header: t('locations.column.accuracy'),
        cell: (place) => accuracyWords(place, t, format),
      },
      {
        id: 'country',
        header: t('devices.column.country'),
        cell: ({ country }) => (country === null ? '-' : format.country(country)),
      },
    ],
    [t, format],
  );
  if (!may('locations:read'))
    return <NoAccess area={t('devices.tab.location')} permission="locations:read" />;
  const past = track.data?.[shown];
  // An address that is still in the same country makes no new row, and yet is news of now.
  const place = (shown === 0 ? device.place : past) ?? past ?? null;
  const mayManage = may('devices:manage');
  const setButton = (
    <Button
      disabled={!mayManage || device.lifecycle === 'retired'}
      {...(mayManage
        ? {}
        : { disabledReason: t('app.needsPermission', { permission: 'devices:manage' }) })}
      onClick={() => setSetting(true)}
    >
      {t('locations.set.action')}
    </Button>
  );
  return (
    <SpaceBetween size="m">
      {place === null ? null : (
        <Container
          header={
            <Header
              variant="h2"
              description={t(place.precise ? 'locations.precise' : 'locations.rounded')}
              actions={setButton}
            >
              {t('locations.map.title')}
            </Header>
          }
        >
          <DeviceMap
            place={place}
            track={track.data?.slice(past === undefined ? 0 : shown)}
            online={device.connectivity === 'online' || device.connectivity === 'degraded'}
            heightPx={420}
          />
          <Box margin={{ top: 's' }}>
            <Time at={place.at} style="exact" /> · {accuracyWords(place, t, format)}
            {place.source === 'address' ? <AddressSource /> : null}
          </Box>
          {track.data !== undefined && track.data.length > 1 ? (
            <TrackSlider track={track.data} position={shown} onChange={setShown} />
          ) : null}
        </Container>
      )}
      {place !== null && !place.precise ? (
        <Alert type="info">
          {t('app.needsPermission', { permission: 'locations:read-precise' })}
        </Alert>
      ) : null}
      <DataTable
        id="device-track"
        label={t('locations.track')}
        header={
          <Header variant="h2" actions={place === null ? setButton : undefined}>
            {t('locations.track')}
          </Header>
        }
        variant="container"
        columns={columns}
        rows={track.data}
        rowKey={({ at }) => at}
        query={track}
        empty={{ title: t('locations.none'), body: t('locations.noneBody') }}
        withoutSettings
      />
      {isSetting ? <SetPositionDialog device={device} onClose={() => setSetting(false)} /> : null}
    </SpaceBetween>
  );
}
