import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { useFlash } from '../../ui/flash-store.ts';

export type LifecycleAct = 'suspend' | 'resume' | 'retire';

export interface LifecycleDialogProps {
  readonly act: LifecycleAct;
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}

/**
 * Changes the lifecycle state. Suspending and resuming need one press; irreversible changes need
 * the serial number.
 */
export function LifecycleDialog({ act, device, onClose }: LifecycleDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const name = device.serialNumber ?? device.name;
  const change = useMutation(
    api.devices[act].mutationOptions({
      onSuccess: (changed) => {
        queryClient.setQueryData(
          api.devices.get.queryOptions({ device: changed.id }).queryKey,
          changed,
        );
        void queryClient.invalidateQueries(api.devices.pathFilter());
        flash.add({ type: 'success', content: t(`devices.lifecycle.${act}.done`, { name }) });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t(`devices.lifecycle.${act}.title`, { name })}
      confirmLabel={t(`devices.lifecycle.${act}.action`)}
      busy={change.isPending}
      error={
        <SpaceBetween size="m">
          <FormField
            label={t('devices.lifecycle.reason')}
            description={t('devices.lifecycle.reasonHelp')}
          >
            <Input
              value={reason}
              onChange={({ detail }) => setReason(detail.value.slice(0, 500))}
            />
          </FormField>
          {change.error === null ? null : <ErrorView error={change.error} place="alert" />}
        </SpaceBetween>
      }
      onCancel={onClose}
      onConfirm={() => change.mutate({ id: device.id, reason: reason.trim() })}
      {...(act === 'retire' ? { typed: name } : {})}
    >
      {t(`devices.lifecycle.${act}.body`)}
    </ConfirmDialog>
  );
}
