import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useT } from '../../../i18n/use-t.ts';
import { useErrorFlash } from '../../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../../ui/flash-store.ts';
import { usePreferences, updatePreferences } from '../../../ui/preferences-store.ts';
import { viewName } from './saved-view-select.tsx';
import {
  ALL_DEVICES,
  deviceViews,
  isChanged,
  viewSearchOf,
  type ViewScreen,
} from './saved-views.ts';

const SaveViewDialog = lazy(() =>
  import('./save-view-dialog.tsx').then((module) => ({ default: module.SaveViewDialog })),
);
const RemoveViewDialog = lazy(() =>
  import('./remove-view-dialog.tsx').then((module) => ({ default: module.RemoveViewDialog })),
);

export interface SavedViewActionsProps {
  readonly current: SavedView | undefined;
  readonly search: Readonly<Record<string, string>>;
  /** The list of devices unless said. */
  readonly screen?: ViewScreen;
  readonly onSaved: (view: SavedView) => void;
  readonly onRemoved: () => void;
}

/** Save as new, update, rename or share, delete. */
export function SavedViewActions(props: SavedViewActionsProps): ReactNode {
  const { current, search, onSaved, onRemoved, screen = deviceViews } = props;
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  const [asking, setAsking] = useState<'new' | 'edit' | 'remove' | null>(null);
  const renew = (): unknown => queryClient.invalidateQueries(api.devices.listViews.pathFilter());
  const update = useMutation(
    api.devices.saveView.mutationOptions({
      onError: showError,
      onSuccess: (view) => {
        void renew();
        flash.add({ type: 'success', content: t('devices.views.saved', { name: view.name }) });
      },
    }),
  );
  const { defaultViews } = usePreferences();
  const defaultId = defaultViews?.[screen.id] ?? ALL_DEVICES;
  const isDefault = current !== undefined && current.id === defaultId;
  const keepDefault = (): void => {
    const id = isDefault || current === undefined ? ALL_DEVICES : current.id;
    updatePreferences({ defaultViews: { ...defaultViews, devices: id } });
    flash.add({
      type: 'success',
      content:
        id === ALL_DEVICES || current === undefined
          ? t('devices.views.defaultIsAll')
          : t('devices.views.defaultIs', { name: viewName(current, t) }),
    });
  };
  const own = current?.mine === true && !current.builtin;
  const defaultItem = isDefault
    ? { id: 'default', text: t('devices.views.defaultOff') }
    : {
        id: 'default',
        text: t('devices.views.defaultOn', {
          name: current === undefined ? t(screen.all) : viewName(current, t),
        }),
        disabled: current === undefined && defaultId === ALL_DEVICES,
      };
  return (
    <>
      <ButtonDropdown
        expandToViewport
        loading={update.isPending}
        items={[
          { id: 'new', text: t('devices.views.saveNew') },
          {
            id: 'update',
            text: t('devices.views.update', { name: own ? current.name : '' }),
            disabled: !own || !isChanged(current, search, screen),
          },
          { id: 'edit', text: t('devices.views.edit'), disabled: !own },
          { id: 'remove', text: t('devices.views.remove'), disabled: !own },
          ...(screen.hasDefault ? [defaultItem] : []),
        ]}
        onItemClick={({ detail }) => {
          if (detail.id === 'new' || detail.id === 'edit' || detail.id === 'remove') {
            setAsking(detail.id);
          } else if (detail.id === 'default') {
            keepDefault();
          } else if (current !== undefined) {
            const { id, name, sharedWithRole } = current;
            update.mutate({
              id,
              name,
              sharedWithRole,
              screen: screen.id,
              search: viewSearchOf(search, screen),
            });
          }
        }}
      >
        {t('devices.views.actions')}
      </ButtonDropdown>
      <Suspense>
        {asking === 'new' || asking === 'edit' ? (
          <SaveViewDialog
            view={asking === 'edit' ? current : undefined}
            search={search}
            screen={screen}
            onCancel={() => setAsking(null)}
            onSaved={(view) => {
              void renew();
              setAsking(null);
              onSaved(view);
            }}
          />
        ) : null}
        {asking === 'remove' && current !== undefined ? (
          <RemoveViewDialog
            view={current}
            onCancel={() => setAsking(null)}
            onRemoved={() => {
              void renew();
              setAsking(null);
              onRemoved();
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}
