import { useMemo, type ReactNode } from 'react';
import type { LocationCell } from '@deviceportal/contract/locations';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter } from '../shell/filter-codec.ts';
import { navigateTo } from '../shell/navigate-to.ts';
import { MapView } from './map-view.tsx';

export interface FleetMapProps {
  readonly cells: readonly LocationCell[];
  readonly heightPx?: number;
}

/** The fleet by cells of the map; a press on a cell lists its country's devices. Put a table of the same beside it. */
export function FleetMap({ cells, heightPx = 360 }: FleetMapProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const content = useMemo(
    () => ({
      points: cells.map((cell, index) => ({
        id: String(index),
        latitude: cell.latitude,
        longitude: cell.longitude,
        count: cell.count,
        onlineShare: cell.count === 0 ? 0 : cell.online / cell.count,
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
        const country = cells[Number(id)]?.country;
        if (country) navigateTo(countryHref(country));
      }}
    />
  );
}

export function countryHref(country: string): string {
  const q = encodeFilter({
    tokens: [{ key: 'country', operator: '=', values: [country] }],
    operation: 'and',
  });
  return `/devices?q=${encodeURIComponent(q)}`;
}
