import TopNavigation, {
  type TopNavigationProps,
} from '@cloudscape-design/components/top-navigation';
import { memo, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { languageNames, languages, type Language } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { roleName } from '../access/roles/role-words.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { signOutEverywhere } from '../session/sign-out.ts';
import { ASK_FOR_ROLE_HREF } from '../ui/access-request-href.ts';
import { openPalette } from '../ui/palette-store.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { updatePreferences, usePreferences } from '../ui/preferences-store.ts';
import { openShortcutList } from './shortcuts/shortcut-list-store.ts';
import { useViewer } from '../session/viewer-context.tsx';

export interface TopBarProps {
  readonly config: BrowserConfig;
  /** The number of unread notifications. */
  readonly unread: number;
  readonly onBell: () => void;
}

/** The product name, search, settings, and user menu of every page. It measures itself when it renders. */
export const TopBar = memo(function TopBar({ config, unread, onBell }: TopBarProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const preferences = usePreferences();
  const { detail } = useViewer();
  return (
    <TopNavigation
      identity={{
        href: '/',
        title: config.productName,
        // The alternative text describes the link, because the title would be read twice.
        logo: { src: '/icon.svg', alt: t('app.nav.home') },
        onFollow: (event) => {
          event.preventDefault();
          navigateTo('/');
        },
      }}
      i18nStrings={{ overflowMenuTriggerText: t('app.top.more') }}
      utilities={[
        {
          type: 'button',
          iconName: 'search',
          text: t('app.top.search'),
          ariaLabel: t('app.palette.title'),
          onClick: () => openPalette(),
        },
        {
          type: 'button',
          iconName: 'notification',
          // The label next to the icon in the menu of a narrow screen.
          title: t('app.bell.label'),
          ...(unread === 0 ? {} : { text: unread > 99 ? '99+' : String(unread) }),
          badge: unread > 0,
          ariaLabel: t('app.bell.open', { count: unread }),
          onClick: onBell,
        },
        {
          type: 'menu-dropdown',
          iconName: 'settings',
          ariaLabel: t('app.top.settings'),
          title: t('app.top.settings'),
          items: settingsItems(t, { ...preferences, language }, config.languages),
          onItemClick: ({ detail: { id } }) => choose(id, preferences.shortcuts ?? true),
        },
        {
          type: 'menu-dropdown',
          iconName: 'user-profile',
          text: detail.displayName || detail.username,
          description: `${detail.username} · ${detail.roles.map((role) => roleName(role, t)).join(', ')}`,
          items: [
            { id: 'profile', text: t('app.top.profile') },
            { id: 'elevate', text: t('app.top.elevate') },
            { id: 'sign-out', text: t('app.top.signOut') },
          ],
          onItemClick: ({ detail: { id } }) => choosePersonal(id),
        },
      ]}
    />
  );
});

type Chosen = ReturnType<typeof usePreferences> & { readonly language: Language };

function settingsItems(
  t: Translate,
  chosen: Chosen,
  offered: readonly Language[],
): TopNavigationProps.MenuDropdownUtility['items'] {
  const option = (id: string, text: string, checked: boolean) => ({
    id,
    text,
    itemType: 'checkbox' as const,
    checked,
  });
  return [
    {
      text: t('app.theme.title'),
      items: (['system', 'light', 'dark'] as const).map((theme) =>
        option(`theme:${theme}`, t(`app.theme.${theme}`), (chosen.theme ?? 'system') === theme),
      ),
    },
    {
      text: t('app.density.title'),
      items: (['comfortable', 'compact'] as const).map((density) =>
        option(
          `density:${density}`,
          t(`app.density.${density}`),
          (chosen.density ?? 'comfortable') === density,
        ),
      ),
    },
    {
      text: t('app.language.title'),
      items: languages
        .filter((language) => offered.includes(language))
        .map((language) =>
          option(`language:${language}`, languageNames[language], chosen.language === language),
        ),
    },
    {
      id: 'shortcuts',
      text: (chosen.shortcuts ?? true) ? t('app.shortcutsToggle.off') : t('app.shortcutsToggle.on'),
    },
    { id: 'shortcut-list', text: t('app.top.shortcuts') },
  ];
}

function choose(id: string, shortcuts: boolean): void {
  const [kind, value] = id.split(':');
  if (kind === 'theme') updatePreferences({ theme: value as 'system' | 'light' | 'dark' });
  else if (kind === 'density') updatePreferences({ density: value as 'comfortable' | 'compact' });
  else if (kind === 'language') updatePreferences({ language: value as Language });
  else if (kind === 'shortcuts') updatePreferences({ shortcuts: !shortcuts });
  else if (kind === 'shortcut-list') openShortcutList();
}

function choosePersonal(id: string): void {
  if (id === 'profile') navigateTo('/profile');
  else if (id === 'elevate') navigateTo(ASK_FOR_ROLE_HREF);
  else void signOutEverywhere();
}
