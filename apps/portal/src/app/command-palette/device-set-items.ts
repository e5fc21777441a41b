import { findingRules } from '@deviceportal/contract/finding-rules';
import { connectivity, type Connectivity } from '@deviceportal/contract/states';
import { devicesWith } from '../../home/device-links.ts';
import type { Language } from '../../i18n/languages.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { wordOf } from '../../ui/status-of.tsx';
import type { ViewerRights } from '../../session/viewer-context.tsx';
import type { PaletteItem } from './palette-item.ts';

/** Links to devices by status, and to devices with findings, found by their everyday names. */
export function deviceSetItems(
  t: Translate,
  { may }: ViewerRights,
  language: Language,
): PaletteItem[] {
  if (!may('devices:read')) return [];
  const item = (key: string, value: string, words: string): PaletteItem => {
    const href = devicesWith(key, '=', value);
    return {
      id: `set:${key}:${value}`,
      section: t('app.palette.places'),
      label: t('app.palette.devicesThatAre', { words }),
      detail: '',
      href,
      act: () => navigateTo(href),
    };
  };
  return [
    ...(Object.keys(connectivity) as Connectivity[]).map((state) =>
      item('connectivity', state, wordOf('connectivity', state, language)),
    ),
    ...findingRules.map((rule) => item('finding', rule, t(`devices.finding.${rule}`))),
  ];
}
