import { Suspense, lazy, type ReactNode } from 'react';
import { useListAddress } from './use-list-address.ts';

const AddDeviceDialog = lazy(() =>
  import('../add/add-device-dialog.tsx').then((module) => ({ default: module.AddDeviceDialog })),
);
const TargetListDialog = lazy(() =>
  import('./target-list-dialog.tsx').then((module) => ({ default: module.TargetListDialog })),
);

/** The dialogs of the list, each a chunk of its own; the address says which is open. */
export function ListDialogs({ dialog }: { readonly dialog: string }): ReactNode {
  const address = useListAddress();
  const close = (): void => address.openDialog('');
  return (
    <Suspense>
      {dialog === 'add' ? <AddDeviceDialog onClose={close} /> : null}
      {dialog === 'targets' ? (
        <TargetListDialog onCancel={close} onCreated={({ id }) => address.useTargets(id)} />
      ) : null}
    </Suspense>
  );
}
