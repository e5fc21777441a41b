import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useT } from '../i18n/use-t.ts';
import { openPalette } from './command-palette/palette-store.ts';
import { addFlash } from './flash-store.ts';
import { navigateTo } from './navigate-to.ts';
import { usePageSlots } from './page-slots.tsx';
import { currentPreferences, updatePreferences, usePreferences } from './preferences-store.ts';
import { openShortcutList } from './shortcuts/shortcut-list-store.ts';
import { useShortcuts, type ShortcutActions } from './shortcuts/use-shortcuts.ts';

/** Binds the portal's keys to what they do here. */
export function usePortalShortcuts(): void {
  const t = useT();
  const queryClient = useQueryClient();
  const { refresh } = usePageSlots();
  const enabled = usePreferences().shortcuts ?? true;
  const actions = useMemo<ShortcutActions>(
    () => ({
      search: () => openPalette(),
      list: openShortcutList,
      go: navigateTo,
      refresh: refresh ?? (() => void queryClient.invalidateQueries()),
      copyLink: () => {
        navigator.clipboard.writeText(location.href).then(
          () => addFlash({ type: 'success', content: t('shell.shortcuts.linkCopied') }),
          () => addFlash({ type: 'error', content: t('shell.copy.failed') }),
        );
      },
      toggleNavigation: () =>
        updatePreferences({ navigationOpen: !(currentPreferences().navigationOpen ?? true) }),
    }),
    [t, queryClient, refresh],
  );
  useShortcuts(actions, enabled);
}
