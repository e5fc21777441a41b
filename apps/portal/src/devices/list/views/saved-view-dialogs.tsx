import { useQueryClient } from '@tanstack/react-query';
import { Suspense, lazy, type ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import type { ViewScreen } from './saved-views.ts';

const SaveViewDialog = lazy(() =>
  import('./save-view-dialog.tsx').then((module) => ({ default: module.SaveViewDialog })),
);
const RemoveViewDialog = lazy(() =>
  import('./remove-view-dialog.tsx').then((module) => ({ default: module.RemoveViewDialog })),
);

export type AskedOfView = 'new' | 'edit' | 'remove';

export interface SavedViewDialogsProps {
  readonly asking: AskedOfView | null;
  readonly current: SavedView | undefined;
  readonly search: Readonly<Record<string, string>>;
  readonly screen: ViewScreen;
  readonly onClose: () => void;
  readonly onSaved: (view: SavedView) => void;
  readonly onRemoved: () => void;
}

/** The dialogs to save, change, or delete a view, loaded when opened. */
export function SavedViewDialogs(props: SavedViewDialogsProps): ReactNode {
  const { asking, current, search, screen, onClose, onSaved, onRemoved } = props;
  const api = useApi();
  const queryClient = useQueryClient();
  const finish = (): void => {
    void queryClient.invalidateQueries(api.devices.listViews.pathFilter());
    onClose();
  };
  return (
    <Suspense>
      {asking === 'new' || asking === 'edit' ? (
        <SaveViewDialog
          view={asking === 'edit' ? current : undefined}
          search={search}
          screen={screen}
          onCancel={onClose}
          onSaved={(view) => {
            finish();
            onSaved(view);
          }}
        />
      ) : null}
      {asking === 'remove' && current !== undefined ? (
        <RemoveViewDialog
          view={current}
          onCancel={onClose}
          onRemoved={() => {
            finish();
            onRemoved();
          }}
        />
      ) : null}
    </Suspense>
  );
}
