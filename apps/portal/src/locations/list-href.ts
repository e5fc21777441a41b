import { formatMapArea, type MapArea } from '@deviceportal/contract/map-area';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';

/**
 * The device list with the filter of the map, limited to an area. Retired devices are excluded, as
 * on the map.
 */
export function listHref(
  { tokens, operation }: FilterQuery,
  targets: string,
  area: MapArea,
): string | null {
  // A single filter cannot combine “any of these” with an area.
  if (operation === 'or' && tokens.length > 1) return null;
  const asksLifecycle = tokens.some(({ key }) => key === 'lifecycle');
  const q = encodeFilter({
    operation: 'and',
    tokens: [
      ...tokens,
      { key: 'area', operator: '=', values: [formatMapArea(area)] },
      ...(asksLifecycle
        ? []
        : [{ key: 'lifecycle', operator: '!=', values: ['retired'] } as const]),
    ],
  });
  const search = new URLSearchParams({ q, ...(targets === '' ? {} : { targets }) });
  return `/devices?${search.toString()}`;
}
