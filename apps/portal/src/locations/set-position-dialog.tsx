import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApi } from '../api/use-api.ts';
import { CountrySelect } from '../devices/country-select.tsx';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { useFlash } from '../ui/flash-store.ts';

export interface SetPositionDialogProps {
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}

const limits = { latitude: 90, longitude: 180 } as const;
const FIELDS = ['latitude', 'longitude', 'accuracyMeters', 'country'];

/** Sets the location of a device by hand. A later report of the device replaces it. */
export function SetPositionDialog({ device, onClose }: SetPositionDialogProps): ReactNode {
  const t = useT();
  const [draft, setDraft] = useState({ latitude: '', longitude: '', accuracyMeters: '100' });
  const [country, setCountry] = useState(device.country);
  const [tried, setTried] = useState(false);
  const save = useSetPosition(onClose);
  const issues = fieldIssues(save.error, t);
  const problem = (field: 'latitude' | 'longitude'): string | undefined =>
    tried && !isDegrees(draft[field], limits[field])
      ? t('locations.set.degrees', { limit: limits[field] })
      : issues.get(field);
  const submit = (): void => {
    setTried(true);
    if (!isDegrees(draft.latitude, 90) || !isDegrees(draft.longitude, 180)) return;
    save.mutate({
      deviceId: device.id,
      latitude: Number(draft.latitude),
      longitude: Number(draft.longitude),
      accuracyMeters: Number(draft.accuracyMeters),
      country,
    });
  };
  const field = (name: keyof typeof draft, error: string | undefined): ReactNode => (
    <FormField label={t(`locations.set.${name}`)} errorText={error}>
      <Input
        value={draft[name]}
        inputMode="decimal"
        onChange={({ detail }) => setDraft((old) => ({ ...old, [name]: detail.value.trim() }))}
      />
    </FormField>
  );
  return (
    <FormDialog
      title={t('locations.set.title')}
      submitLabel={t('app.save')}
      busy={save.isPending}
      error={save.error}
      fields={FIELDS}
      onSubmit={submit}
      onCancel={onClose}
    >
      <ColumnLayout columns={2}>
        {field('latitude', problem('latitude'))}
        {field('longitude', problem('longitude'))}
        {field('accuracyMeters', issues.get('accuracyMeters'))}
        <FormField label={t('devices.column.country')} errorText={issues.get('country')}>
          <CountrySelect value={country} onChange={setCountry} />
        </FormField>
      </ColumnLayout>
    </FormDialog>
  );
}

function useSetPosition(onClose: () => void) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  return useMutation(
    api.locations.setPosition.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(api.locations.pathFilter());
        void queryClient.invalidateQueries(api.devices.pathFilter());
        flash.add({ type: 'success', content: t('locations.set.done') });
        onClose();
      },
    }),
  );
}

const isDegrees = (text: string, limit: number): boolean =>
  text !== '' && Math.abs(Number(text)) <= limit;
