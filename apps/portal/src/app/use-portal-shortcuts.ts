import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useT } from '../i18n/use-t.ts';
import { openPalette } from '../ui/palette-store.ts';
import { copyText } from '../ui/copy-text.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { pageRefresh } from '../ui/page-slots.tsx';
import { currentPreferences, updatePreferences, usePreferences } from '../ui/preferences-store.ts';
import { openShortcutList } from './shortcuts/shortcut-list-store.ts';
import { useShortcuts, type ShortcutActions } from './shortcuts/use-shortcuts.ts';

/** Binds the shortcuts of the portal to their actions. */
export function usePortalShortcuts({ toggleHelp }: Pick<ShortcutActions, 'toggleHelp'>): void {
  const t = useT();
  const queryClient = useQueryClient();
  const enabled = usePreferences().shortcuts ?? true;
  const actions = useMemo<ShortcutActions>(
    () => ({
      search: () => openPalette(),
      list: openShortcutList,
      go: navigateTo,
      toggleHelp,
      refresh: () => {
        const refresh = pageRefresh();
        if (refresh === undefined) void queryClient.invalidateQueries();
        else refresh();
      },
      copyLink: () => {
        copyText(location.href, t, t('app.shortcuts.linkCopied'));
      },
      toggleNavigation: () =>
        updatePreferences({ navigationOpen: !(currentPreferences().navigationOpen ?? true) }),
    }),
    [t, queryClient, toggleHelp],
  );
  useShortcuts(actions, enabled);
}
