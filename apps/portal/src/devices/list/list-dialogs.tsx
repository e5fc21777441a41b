import { Suspense, lazy, type ReactNode } from 'react';
import { loadAllWords } from '../../i18n/language-store.ts';
import { lazyWithListWords } from '../../i18n/lazy-with-list-words.tsx';
import { MOST_COMPARED } from './device-list-header.tsx';
import { useListAddress } from './use-list-address.ts';

const AddDeviceDialog = lazy(async () => {
  // The owner field uses texts of people.
  const [module] = await Promise.all([import('../add/add-device-dialog.tsx'), loadAllWords()]);
  return { default: module.AddDeviceDialog };
});
const TargetListDialog = lazyWithListWords(
  async () => (await import('./target-list-dialog.tsx')).TargetListDialog,
);

const CompareDialog = lazy(async () => {
  // The rows use texts of the device page.
  const [module] = await Promise.all([import('../compare/compare-dialog.tsx'), loadAllWords()]);
  return { default: module.CompareDialog };
});

export interface ListDialogsProps {
  readonly dialog: string;
  /** Device IDs, separated by commas. */
  readonly compare: string;
}

/** The dialogs of the list, each in its own chunk. The address determines which one is open. */
export function ListDialogs({ dialog, compare }: ListDialogsProps): ReactNode {
  const address = useListAddress();
  const compared = [...new Set(compare.split(','))]
    .filter((id) => id !== '')
    .slice(0, MOST_COMPARED);
  const close = (): void => address.openDialog('');
  return (
    <Suspense>
      {dialog === 'add' || dialog === 'claims' ? (
        <AddDeviceDialog opens={dialog === 'add' ? 'one' : 'claims'} onClose={close} />
      ) : null}
      {dialog === 'targets' ? (
        <TargetListDialog onCancel={close} onCreated={({ id }) => address.useTargets(id)} />
      ) : null}
      {compared.length < 2 ? null : (
        <CompareDialog deviceIds={compared} onClose={() => address.compare([])} />
      )}
    </Suspense>
  );
}
