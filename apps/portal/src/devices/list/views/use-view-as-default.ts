import type { SavedView } from '@deviceportal/contract/devices';
import { useT } from '../../../i18n/use-t.ts';
import { useFlash } from '../../../ui/flash-store.ts';
import { updatePreferences, usePreferences } from '../../../ui/preferences-store.ts';
import { viewName } from './saved-view-select.tsx';
import { ALL_DEVICES, type ViewScreen } from './saved-views.ts';

/** Sets or removes the current view as the default view of the screen. */
export function useViewAsDefault(current: SavedView | undefined, screen: ViewScreen) {
  const t = useT();
  const flash = useFlash();
  const { defaultViews } = usePreferences();
  const defaultId = defaultViews?.[screen.id] ?? ALL_DEVICES;
  const isDefault = current !== undefined && current.id === defaultId;
  const name = current === undefined ? t(screen.all) : viewName(current, t);
  const text = isDefault ? t('devices.views.defaultOff') : t('devices.views.defaultOn', { name });
  const hasDefault = current !== undefined || defaultId !== ALL_DEVICES;
  return {
    items: hasDefault && screen.hasDefault ? [{ id: 'default', text }] : [],
    toggle: (): void => {
      const id = isDefault || current === undefined ? ALL_DEVICES : current.id;
      updatePreferences({ defaultViews: { ...defaultViews, [screen.id]: id } });
      flash.add({
        type: 'success',
        content:
          id === ALL_DEVICES || current === undefined
            ? t('devices.views.defaultIsAll')
            : t('devices.views.defaultIs', { name: viewName(current, t) }),
      });
    },
  };
}
