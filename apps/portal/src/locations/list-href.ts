import { formatMapArea, type MapArea } from '@deviceportal/contract/map-area';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';

/** The list with the map's own filter, held to an area. Retired devices are on no map, so they are not listed either. */
export function listHref(
  { tokens, operation }: FilterQuery,
  targets: string,
  area: MapArea,
): string | null {
  // "Any of these, and there" is not something that one filter says.
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
