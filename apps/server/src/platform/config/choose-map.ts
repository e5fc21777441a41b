import type { MapConfig } from './config.ts';
import type { SettingValues } from './settings.ts';

/**
 * What maps are drawn on. Public maps of mainland China must show particular borders or none (公开地图内容表示规范, 2023):
 * an installation that is meant for it draws none unless its operator says so.
 */
export function chooseMap(values: SettingValues): MapConfig {
  const isForChina = values.providerSet === 'authing' || values.region.startsWith('cn-');
  const { mapBorders: borders = !isForChina, mapTilesUrl: url } = values;
  if (url === undefined) return { borders, tiles: null };
  const { mapTilesMaxZoom: maxZoom, mapTilesAttribution: attribution = '' } = values;
  return { borders, tiles: { url, maxZoom, attribution } };
}

/** From where a browser loads the operator's tiles; nothing else is opened for them. */
export const tileOrigins = ({ tiles }: MapConfig): string[] =>
  tiles === null ? [] : [new URL(tiles.url).origin];
