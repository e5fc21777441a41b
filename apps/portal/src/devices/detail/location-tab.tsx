import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { DeviceMap } from '../../locations/device-map.tsx';
import { accuracyWords } from '../../locations/place-words.ts';
import { AddressSource } from '../../locations/address-source.tsx';
import { SetPositionDialog } from '../../locations/set-position-dialog.tsx';
import { TrackSlider } from '../../locations/track-slider.tsx';
import { NoAccess } from '../../ui/no-access.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useViewer } from '../../session/viewer-context.tsx';
import type { DeviceTabProps } from './device-tab-props.ts';
import { TrackTable } from './track-table.tsx';

const SHOWN = 200;

/** The current and earlier locations of the device, on a map and as a table. */
export function LocationTab({ device }: DeviceTabProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const track = useQuery(
    api.locations.deviceTrack.queryOptions(
      { deviceId: device.id, limit: SHOWN },
      { enabled: may('locations:read') },
    ),
  );
  const [shown, setShown] = useState(0);
  const [isSetting, setSetting] = useState(false);
  if (!may('locations:read'))
    return <NoAccess area={t('devices.tab.location')} permission="locations:read" />;
  const past = track.data?.[shown];
  // A new IP address in the same country adds no row to the history, but the device’s location is
  // more recent.
  const place = (shown === 0 ? device.place : past) ?? past ?? null;
  const setButton = <SetPositionButton device={device} onClick={() => setSetting(true)} />;
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
          <PlaceOnMap device={device} place={place} track={track.data} shown={shown} />
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
      <TrackTable track={track} actions={place === null ? setButton : undefined} />
      {isSetting ? <SetPositionDialog device={device} onClose={() => setSetting(false)} /> : null}
    </SpaceBetween>
  );
}

function SetPositionButton({
  device,
  onClick,
}: DeviceTabProps & { readonly onClick: () => void }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const mayManage = may('devices:manage');
  return (
    <Button
      disabled={!mayManage || device.lifecycle === 'retired'}
      {...(mayManage
        ? {}
        : { disabledReason: t('app.needsPermission', { permission: 'devices:manage' }) })}
      onClick={onClick}
    >
      {t('locations.set.action')}
    </Button>
  );
}

/** @param props.shown The index in the location history, newest first. */
function PlaceOnMap({
  device,
  place,
  track,
  shown,
}: DeviceTabProps & {
  readonly place: DevicePlace;
  readonly track: readonly DevicePlace[] | undefined;
  readonly shown: number;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  return (
    <>
      <DeviceMap
        place={place}
        track={track?.slice(track[shown] === undefined ? 0 : shown)}
        online={device.connectivity === 'online' || device.connectivity === 'degraded'}
        heightPx={420}
      />
      <Box margin={{ top: 's' }}>
        <Time at={place.at} style="exact" /> · {accuracyWords(place, t, format)}
        {place.source === 'address' ? <AddressSource /> : null}
      </Box>
    </>
  );
}
