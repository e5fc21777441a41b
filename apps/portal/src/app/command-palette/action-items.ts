import { personLabel } from '@deviceportal/contract/people';
import type { ActiveCase } from '@deviceportal/contract/cases';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import { askAboutCase, type CaseDialog } from '../../cases/case-dialog-store.ts';
import { languageNames, languages } from '../../i18n/languages.ts';
import type { Translate } from '../../i18n/use-t.ts';
import { signOutEverywhere } from '../../session/sign-out.ts';
import { navigateTo } from '../../ui/navigate-to.ts';
import { visibleGroups } from '../../ui/navigation.ts';
import { updatePreferences } from '../../ui/preferences-store.ts';
import type { ViewerRights } from '../../session/viewer-context.tsx';
import type { PaletteItem } from './palette-item.ts';

/** Pages that the viewer can open. */
export function placeItems(t: Translate, { may }: ViewerRights): PaletteItem[] {
  return visibleGroups(may).flatMap((group) =>
    group.places.map((place) => ({
      id: `place:${place.href}`,
      section: t('app.palette.places'),
      label: t(place.key),
      detail: group.key === null ? '' : t(group.key),
      href: place.href,
      act: () => navigateTo(place.href),
    })),
  );
}

/** Commands that the viewer can run. */
export function commandItems(
  t: Translate,
  commands: readonly Pick<CommandDefinition, 'command' | 'allowed' | 'description'>[],
): PaletteItem[] {
  return commands
    .filter(({ allowed }) => allowed)
    .map(({ command, description }) => ({
      id: `run:${command}`,
      section: t('app.palette.places'),
      label: t('app.palette.run', { command }),
      detail: description,
      href: `/commands/${command}`,
      act: () => navigateTo(`/commands/${command}`),
    }));
}

/** Opens a case, and the actions on the active one. */
export function caseItems(
  t: Translate,
  { may }: ViewerRights,
  active: ActiveCase | null,
): PaletteItem[] {
  if (!may('cases:manage')) return [];
  const item = (id: string, label: string, dialog: CaseDialog): PaletteItem => ({
    id,
    section: t('app.palette.places'),
    label,
    detail: active === null ? '' : t('app.palette.inCase', { name: personLabel(active.person) }),
    act: () => askAboutCase(dialog),
  });
  const opening = {
    ...item('case:open', t('app.palette.openCase'), { kind: 'open', person: null }),
    detail: '',
  };
  if (active === null) return [opening];
  const asked = { id: active.id, personName: personLabel(active.person) };
  return [
    item('case:note', t('app.palette.noteCase'), { kind: 'note', ...asked }),
    item('case:close', t('app.palette.closeCase'), { kind: 'close', ...asked }),
    opening,
  ];
}

/** A link to the glossary. */
export function helpItem(t: Translate): PaletteItem {
  return {
    id: 'glossary',
    section: t('app.palette.places'),
    label: t('app.help.glossary'),
    detail: t('app.help.label'),
    href: '/glossary',
    act: () => navigateTo('/glossary'),
  };
}

/** Theme, density, language, and sign-out. */
export function settingItems(t: Translate): PaletteItem[] {
  const setting = (id: string, label: string, act: () => void): PaletteItem => ({
    id,
    section: t('app.palette.places'),
    label,
    detail: '',
    act,
  });
  return [
    ...(['light', 'dark', 'system'] as const).map((theme) =>
      setting(`theme:${theme}`, t(`app.theme.${theme}`), () => updatePreferences({ theme })),
    ),
    ...(['comfortable', 'compact'] as const).map((density) =>
      setting(`density:${density}`, t(`app.density.${density}`), () =>
        updatePreferences({ density }),
      ),
    ),
    ...languages.map((language) =>
      setting(`language:${language}`, languageNames[language], () =>
        updatePreferences({ language }),
      ),
    ),
    setting('sign-out', t('app.top.signOut'), () => void signOutEverywhere()),
  ];
}
