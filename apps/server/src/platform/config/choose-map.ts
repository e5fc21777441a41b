import type { MapConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/**
 * Map configuration. Public maps of mainland China must show specific borders or none (公开地图内容表示规范,
 * 2023), so installations for it draw none unless the operator enables them.
 */
export function chooseMap(values: SettingValues): MapConfig {
  const isForChina = values.providerSet === 'authing' || values.region.startsWith('cn-');
  const { mapBorders: borders = !isForChina, mapTilesUrl: url } = values;
  if (url === undefined) return { borders, tiles: null };
  const { mapTilesMaxZoom: maxZoom, mapTilesAttribution: attribution = '' } = values;
  return { borders, tiles: { url, maxZoom, attribution, datum: values.mapTilesDatum } };
}

/** Origin of the operator's tiles for the content security policy. */
export const tileOrigins = ({ tiles }: MapConfig): string[] =>
  tiles === null ? [] : [new URL(tiles.url).origin];
