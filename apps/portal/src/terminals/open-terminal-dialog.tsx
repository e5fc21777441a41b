import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import type { DeviceTerminals } from '@deviceportal/contract/terminals';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';
import { rememberSession } from './open-session-store.ts';

const MOST_CHARACTERS = 500;
const SHORTEST = 3;
/** Until the screen has its size. */
const SIZE = { columns: 80, rows: 24 } as const;

/** The reason for a terminal, or why the device offers none. */
export function OpenTerminalDialog({
  device,
  onClose,
}: {
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const known = useQuery(api.terminals.list.queryOptions({ deviceId: device.id }));
  const open = useMutation(
    api.terminals.open.mutationOptions({
      onSuccess: ({ sessionId }) => {
        rememberSession(device.id, sessionId);
        void queryClient.invalidateQueries(api.terminals.pathFilter());
        onClose();
        navigateTo(`/devices/${device.id}?tab=terminals`);
      },
    }),
  );
  const obstacle = known.data === undefined ? null : obstacleOf(known.data, t);
  const asks = known.data?.consent === 'required' || known.data?.asksConsent === true;
  return (
    <FormDialog
      title={t('terminals.dialog.title', { device: device.serialNumber ?? device.name })}
      submitLabel={t('terminals.open')}
      busy={open.isPending}
      error={open.error ?? known.error}
      fields={['reason']}
      disabled={obstacle !== null || reason.trim().length < SHORTEST}
      onSubmit={() => open.mutate({ deviceId: device.id, reason: reason.trim(), ...SIZE })}
      onCancel={onClose}
    >
      {obstacle === null ? null : <Alert type="warning">{obstacle}</Alert>}
      {obstacle === null && asks ? <Alert>{t('terminals.dialog.consent')}</Alert> : null}
      <FormField
        label={t('terminals.dialog.reason')}
        description={t('terminals.dialog.reasonHelp')}
      >
        <Input
          value={reason}
          onChange={({ detail }) => setReason(detail.value.slice(0, MOST_CHARACTERS))}
        />
      </FormField>
      <Box variant="p">{t('terminals.dialog.recorded')}</Box>
    </FormDialog>
  );
}

/** Why no terminal can be opened; null if it can. */
function obstacleOf({ offer, consent, asksConsent }: DeviceTerminals, t: Translate): string | null {
  if (consent === 'forbidden') return t('terminals.dialog.forbidden');
  if (offer !== 'available') return t(`terminals.offer.${offer}`);
  if (consent === 'required' && !asksConsent) return t('terminals.dialog.consentNotPossible');
  return null;
}
