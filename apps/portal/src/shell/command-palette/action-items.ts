import type { CommandDefinition } from '@deviceportal/contract/commands';
import { languageNames, languages } from '../../i18n/languages.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { signOutEverywhere } from '../../session/sign-out.ts';
import { navigateTo } from '../navigate-to.ts';
import { visibleGroups } from '../navigation.ts';
import { updatePreferences } from '../preferences-store.ts';
import type { ViewerRights } from '../viewer-context.tsx';
import type { PaletteItem } from './palette-item.ts';

/** Pages that the viewer may open. */
export function placeItems(t: Translate, { may }: ViewerRights): PaletteItem[] {
  return visibleGroups(may).flatMap((group) =>
    group.places.map((place) => ({
      id: `place:${place.href}`,
      section: t('shell.palette.places'),
      label: t(place.key),
      detail: group.key === null ? '' : t(group.key),
      href: place.href,
      act: () => navigateTo(place.href),
    })),
  );
}

/** Commands that the viewer may run. */
export function commandItems(
  t: Translate,
  commands: readonly Pick<CommandDefinition, 'command' | 'allowed' | 'description'>[],
): PaletteItem[] {
  return commands
    .filter(({ allowed }) => allowed)
    .map(({ command, description }) => ({
      id: `run:${command}`,
      section: t('shell.palette.places'),
      label: t('shell.palette.run', { command }),
      detail: description,
      href: `/commands/${command}`,
      act: () => navigateTo(`/commands/${command}`),
    }));
}

/** Theme, density, language and the way out. */
export function settingItems(t: Translate): PaletteItem[] {
  const setting = (id: string, label: string, act: () => void): PaletteItem => ({
    id,
    section: t('shell.palette.places'),
    label,
    detail: '',
    act,
  });
  return [
    ...(['light', 'dark', 'system'] as const).map((theme) =>
      setting(`theme:${theme}`, t(`shell.theme.${theme}`), () => updatePreferences({ theme })),
    ),
    ...(['comfortable', 'compact'] as const).map((density) =>
      setting(`density:${density}`, t(`shell.density.${density}`), () =>
        updatePreferences({ density }),
      ),
    ),
    ...languages.map((language) =>
      setting(`language:${language}`, languageNames[language], () =>
        updatePreferences({ language }),
      ),
    ),
    setting('sign-out', t('shell.top.signOut'), () => void signOutEverywhere()),
  ];
}
