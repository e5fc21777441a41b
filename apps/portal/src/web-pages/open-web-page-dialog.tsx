import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import type { DeviceWebPages } from '@deviceportal/contract/web-pages';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT, type Translate } from '../i18n/use-t.ts';
import { navigateTo } from '../ui/navigate-to.ts';

const REASON = { least: 3, most: 500 } as const;

interface OpenWebPageDialogProps {
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}

/** The page and the reason, or why no page of the device can be opened. */
export function OpenWebPageDialog({ device, onClose }: OpenWebPageDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<number | null>(null);
  const known = useQuery(api.webPages.list.queryOptions({ deviceId: device.id }));
  const open = useMutation(
    api.webPages.open.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.webPages.pathFilter());
        onClose();
        navigateTo(`/devices/${device.id}?tab=webPages`);
      },
    }),
  );
  const pages = known.data?.pages ?? [];
  const port = chosen ?? pages[0]?.port;
  const obstacle = known.data === undefined ? null : obstacleOf(known.data, t);
  const asks = known.data?.consent === 'required' || known.data?.asksConsent === true;
  const isReady = obstacle === null && port !== undefined && reason.trim().length >= REASON.least;
  return (
    <FormDialog
      title={t('webPages.dialog.title', { device: device.serialNumber ?? device.name })}
      submitLabel={t('webPages.open')}
      busy={open.isPending}
      error={open.error ?? known.error}
      fields={['reason']}
      disabled={!isReady}
      onSubmit={() => {
        if (port !== undefined) open.mutate({ deviceId: device.id, port, reason: reason.trim() });
      }}
      onCancel={onClose}
    >
      {obstacle === null ? null : <Alert type="warning">{obstacle}</Alert>}
      {obstacle === null && asks ? <Alert>{t('webPages.dialog.consent')}</Alert> : null}
      {obstacle === null && pages.length > 0 ? (
        <FormField label={t('webPages.dialog.page')}>
          <RadioGroup
            value={String(port)}
            items={pages.map((page) => ({
              value: String(page.port),
              label: page.title,
              description: t('webPages.dialog.port', { port: String(page.port) }),
            }))}
            onChange={({ detail }) => setChosen(Number(detail.value))}
          />
        </FormField>
      ) : null}
      <FormField label={t('webPages.dialog.reason')} description={t('webPages.dialog.reasonHelp')}>
        <Input
          value={reason}
          onChange={({ detail }) => setReason(detail.value.slice(0, REASON.most))}
        />
      </FormField>
      <Box variant="p">{t('webPages.dialog.recorded')}</Box>
    </FormDialog>
  );
}

/** Why no page can be opened; null if one can. */
function obstacleOf({ offer, consent, asksConsent }: DeviceWebPages, t: Translate): string | null {
  if (consent === 'forbidden') return t('webPages.dialog.forbidden');
  if (offer !== 'available') return t(`webPages.offer.${offer}`);
  if (consent === 'required' && !asksConsent) return t('webPages.dialog.consentNotPossible');
  return null;
}
