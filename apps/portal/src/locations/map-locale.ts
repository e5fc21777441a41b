import type { Translate } from '../i18n/use-t.ts';

/** The labels of a map and its controls, by the keys of MapLibre. */
export const mapLocale = (t: Translate): Record<string, string> => ({
  'Map.Title': t('locations.map.title'),
  'NavigationControl.ZoomIn': t('locations.map.zoomIn'),
  'NavigationControl.ZoomOut': t('locations.map.zoomOut'),
});
