import type { FeatureCollection } from 'geojson';
import type { LayerSpecification } from 'maplibre-gl';
import type { ClusterPalette } from './cluster-image.ts';
import { clusterImageName } from './cluster-image.ts';
import type { PlaceGroup } from './place-groups.ts';

export const GROUPS = 'groups';
const FULL_NUMBERS = 10_000;

/** `950`, `12k`, `1.2M`: short enough for a circle. */
function shortCount(count: number): string {
  if (count < FULL_NUMBERS) return String(count);
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  return `${Math.floor(count / 100_000) / 10}M`;
}

export function groupFeatures(groups: readonly PlaceGroup[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: groups.map((group) => ({
      type: 'Feature',
      properties: {
        id: group.id,
        image: clusterImageName(group),
        text: group.count === 1 ? '' : shortCount(group.count),
        // The largest groups are drawn last, above the others.
        rank: group.count,
      },
      geometry: { type: 'Point', coordinates: [group.longitude, group.latitude] },
    })),
  };
}

/**
 * One layer for rings and numbers, so that circles and numbers of neighboring groups do not
 * interleave.
 */
export function groupLayer(palette: ClusterPalette, textColor: string): LayerSpecification {
  return {
    id: GROUPS,
    type: 'symbol',
    source: GROUPS,
    layout: {
      'icon-image': ['get', 'image'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'text-field': ['get', 'text'],
      'text-size': 11,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': textColor, 'text-halo-color': palette.disc, 'text-halo-width': 1 },
  };
}
