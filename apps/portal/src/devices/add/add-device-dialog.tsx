import Modal from '@cloudscape-design/components/modal';
import Tabs from '@cloudscape-design/components/tabs';
import { useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { useFirstFocus } from '../../ui/use-first-focus.ts';
import { ClaimForm } from './claim-form.tsx';
import { ClaimsTable } from './claims-table.tsx';
import { ImportLink } from './import-link.tsx';

/** Adds devices with a claim, for one or several devices, or by an import. */
export function AddDeviceDialog({
  opens,
  onClose,
}: {
  readonly opens: 'one' | 'claims';
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const first = useFirstFocus<HTMLDivElement>();
  const [tab, setTab] = useState<string>(opens);
  return (
    <Modal
      visible
      size="large"
      header={t('devices.add.title')}
      closeAriaLabel={t('app.close')}
      onDismiss={({ detail }) => {
        // A click outside the dialog must not discard a token that is shown only once.
        if (detail.reason !== 'overlay') onClose();
      }}
    >
      <div ref={first}>
        <Tabs
          activeTabId={tab}
          onChange={({ detail }) => setTab(detail.activeTabId)}
          ariaLabel={t('devices.add.title')}
          tabs={[
            { id: 'one', label: t('devices.add.one'), content: <ClaimForm onClose={onClose} /> },
            { id: 'many', label: t('devices.add.many'), content: <ImportLink /> },
            { id: 'claims', label: t('devices.add.claims'), content: <ClaimsTable /> },
          ]}
        />
      </div>
    </Modal>
  );
}
