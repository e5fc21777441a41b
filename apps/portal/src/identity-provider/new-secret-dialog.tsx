import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { GrantEndNote } from '../access/users/grant-end-note.tsx';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';

export interface MadeSecret {
  readonly title: string;
  readonly idLabel: string;
  readonly id: string;
  readonly secret: string;
  /** Default: the secret of a key. */
  readonly secretLabel?: string;
  /** Set for a key that ends with temporary access. */
  readonly bond?: AccessGrantBond | null;
}

/** Shows a new secret once. A lost secret must be replaced by a new one. */
export function NewSecretDialog({
  made,
  onClose,
}: {
  readonly made: MadeSecret;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const secretLabel = made.secretLabel ?? t('identityProvider.secret.label');
  return (
    <Modal
      visible
      header={made.title}
      closeAriaLabel={t('app.close')}
      // A click outside must not close the dialog, because the secret is shown only once.
      onDismiss={({ detail }) => (detail.reason === 'overlay' ? undefined : onClose())}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            {t('identityProvider.secret.kept')}
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">
          {t('identityProvider.secret.once')}
          <GrantEndNote bond={made.bond ?? null} />
        </Alert>
        <KeyValue
          columns={1}
          items={[
            { label: made.idLabel, value: <CopyableId value={made.id} name={made.idLabel} /> },
            {
              label: secretLabel,
              value: <CopyableId value={made.secret} name={secretLabel} />,
            },
          ]}
        />
      </SpaceBetween>
    </Modal>
  );
}
