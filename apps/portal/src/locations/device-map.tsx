import { useMemo, type ReactNode } from 'react';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { MapView } from './map-view.tsx';
import { accuracyWords, positionWords } from './place-words.ts';

/** Meters. About the diagonal of a tenth of a degree, the error of a rounded location. */
const ROUNDED_METERS = 8_000;

export interface DeviceMapProps {
  readonly place: DevicePlace;
  /** Newest first, as the server responds. */
  readonly track?: readonly DevicePlace[] | undefined;
  readonly online: boolean;
  readonly heightPx?: number;
}

/** The location of a device, its accuracy, and the location history. */
export function DeviceMap({ place, track, online, heightPx = 320 }: DeviceMapProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const content = useMemo(
    () => ({
      points: [
        {
          id: 'device',
          latitude: place.latitude,
          longitude: place.longitude,
          country: place.country,
          count: 1,
          onlineShare: online ? 1 : 0,
          accuracyMeters: place.precise
            ? place.accuracyMeters
            : Math.max(place.accuracyMeters, ROUNDED_METERS),
        },
      ],
      // Excludes locations from IP addresses, because lines between the centers of countries show
      // no movement.
      track: (track ?? []).filter(({ source }) => source !== 'address').toReversed(),
    }),
    [place, track, online],
  );
  return (
    <MapView
      label={t('locations.map.device', {
        coordinates: positionWords(place, t, format),
        accuracy: accuracyWords(place, t, format),
      })}
      content={content}
      heightPx={heightPx}
    />
  );
}
