import Modal from '@cloudscape-design/components/modal';
import Box from '@cloudscape-design/components/box';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ClaimResult } from '../add/claim-result.tsx';
import { LifetimeField } from '../add/lifetime-field.tsx';
import { FormDialog } from '../form-dialog.tsx';

/** Hours. Limited, because the token allows another machine to become the device. */
const MAX_LIFETIME_HOURS = 168;

export interface ReEnrollDialogProps {
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}

/** Creates a claim for this device, after its machine was replaced or lost its key. */
export function ReEnrollDialog({ device, onClose }: ReEnrollDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [lifetimeHours, setLifetimeHours] = useState<number>(DEFAULT_CLAIM_LIFETIME_HOURS);
  const create = useMutation(
    api.devices.createDeviceClaim.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.devices.pathFilter()),
    }),
  );
  if (create.data !== undefined) {
    return (
      <Modal
        visible
        size="large"
        header={t('devices.reEnroll.title')}
        closeAriaLabel={t('app.close')}
        onDismiss={({ detail }) => {
          // A click outside the dialog must not discard a token that is shown only once.
          if (detail.reason !== 'overlay') onClose();
        }}
      >
        <ClaimResult claim={create.data} linksDevice={false} onClose={onClose} />
      </Modal>
    );
  }
  return (
    <FormDialog
      title={t('devices.reEnroll.title')}
      submitLabel={t('devices.claim.create')}
      busy={create.isPending}
      error={create.error}
      fields={[]}
      onSubmit={() => create.mutate({ id: device.id, lifetimeHours })}
      onCancel={onClose}
    >
      <Box variant="p">{t('devices.reEnroll.body', { device: device.name })}</Box>
      <LifetimeField
        hours={lifetimeHours}
        maxHours={MAX_LIFETIME_HOURS}
        onChange={setLifetimeHours}
      />
    </FormDialog>
  );
}
