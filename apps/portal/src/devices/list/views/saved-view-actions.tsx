import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useT } from '../../../i18n/use-t.ts';
import { useErrorFlash } from '../../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../../ui/flash-store.ts';
import { SavedViewDialogs, type AskedOfView } from './saved-view-dialogs.tsx';
import { deviceViews, isChanged, viewSearchOf, type ViewScreen } from './saved-views.ts';
import { useViewAsDefault } from './use-view-as-default.ts';

export interface SavedViewActionsProps {
  readonly current: SavedView | undefined;
  readonly search: Readonly<Record<string, string>>;
  /** The device list by default. */
  readonly screen?: ViewScreen;
  readonly onSaved: (view: SavedView) => void;
  readonly onRemoved: () => void;
}

/** Saves as new, and updates, renames, shares, or deletes an own view. */
export function SavedViewActions(props: SavedViewActionsProps): ReactNode {
  const { current, search, onSaved, onRemoved, screen = deviceViews } = props;
  const t = useT();
  const [asking, setAsking] = useState<AskedOfView | null>(null);
  const update = useUpdateView();
  const asDefault = useViewAsDefault(current, screen);
  const own = current?.mine === true && !current.builtin;
  return (
    <>
      <ButtonDropdown
        expandToViewport
        loading={update.isPending}
        items={[
          { id: 'new', text: t('devices.views.saveNew') },
          ...(own
            ? [
                {
                  id: 'update',
                  text: t('devices.views.update', { name: current.name }),
                  disabled: !isChanged(current, search, screen),
                  disabledReason: t('devices.views.unchanged'),
                },
                { id: 'edit', text: t('devices.views.edit') },
                { id: 'remove', text: t('devices.views.remove') },
              ]
            : []),
          ...asDefault.items,
        ]}
        onItemClick={({ detail }) => {
          if (detail.id === 'new' || detail.id === 'edit' || detail.id === 'remove') {
            setAsking(detail.id);
          } else if (detail.id === 'default') {
            asDefault.toggle();
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
      <SavedViewDialogs
        asking={asking}
        current={current}
        search={search}
        screen={screen}
        onClose={() => setAsking(null)}
        onSaved={onSaved}
        onRemoved={onRemoved}
      />
    </>
  );
}

function useUpdateView() {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  return useMutation(
    api.devices.saveView.mutationOptions({
      onError: showError,
      onSuccess: (view) => {
        void queryClient.invalidateQueries(api.devices.listViews.pathFilter());
        flash.add({ type: 'success', content: t('devices.views.saved', { name: view.name }) });
      },
    }),
  );
}
