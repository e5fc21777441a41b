import { useMemo, type ReactNode } from 'react';
import type { LocationCell } from '@deviceportal/contract/locations';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { MapView } from './map-view.tsx';
import { formatMapPosition } from './map-position.ts';

export interface FleetMapProps {
  readonly cells: readonly LocationCell[];
  readonly heightPx?: number;
}

const ZOOMED_IN = 5;

/**
 * The fleet by map cells. A press on a cell opens the map there. Show a table with the same data
 * next to it.
 */
export function FleetMap({ cells, heightPx = 360 }: FleetMapProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const content = useMemo(
    () => ({
      points: cells.map(({ latitude, longitude, country, count, byConnectivity }, index) => ({
        id: String(index),
        latitude,
        longitude,
        country,
        count,
        onlineShare: (byConnectivity.online + byConnectivity.degraded) / count,
      })),
      track: [],
    }),
    [cells],
  );
  const devices = cells.reduce((sum, { count }) => sum + count, 0);
  return (
    <MapView
      label={t('locations.map.fleet', { devices: format.number(devices), places: cells.length })}
      content={content}
      heightPx={heightPx}
      onChoose={(id) => {
        const cell = cells[Number(id)];
        if (cell === undefined) return;
        navigateTo(`/map?map=${formatMapPosition({ ...cell, zoom: ZOOMED_IN })}`);
      }}
    />
  );
}
