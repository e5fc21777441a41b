import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { PersonPicker, type PickedPerson } from '../../people/person-picker.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import { CountrySelect } from '../country-select.tsx';
import { fieldIssues } from '../../ui/field-issues.ts';
import { FormDialog } from '../form-dialog.tsx';
import { LabelsEditor } from '../labels-editor.tsx';
import { labelEntries, labelProblems, labelsOf, type LabelEntry } from '../labels-text.ts';

export interface EditDeviceDialogProps {
  readonly device: DeviceDetail;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly model: string;
  readonly hardwareRevision: string;
  readonly timeZone: string;
  readonly country: string | null;
  readonly owner: PickedPerson | null;
  readonly labels: readonly LabelEntry[];
}

const FIELDS = ['name', 'model', 'hardwareRevision', 'timeZone', 'country', 'ownerId', 'labels'];

/** Edits what users record about a device. What the device reports cannot be edited. */
export function EditDeviceDialog({ device, onClose }: EditDeviceDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(device));
  const [tried, setTried] = useState(false);
  const save = useMutation(
    api.devices.update.mutationOptions({
      onSuccess: (changed) => {
        queryClient.setQueryData(
          api.devices.get.queryOptions({ device: changed.id }).queryKey,
          changed,
        );
        void queryClient.invalidateQueries(api.devices.pathFilter());
        flash.add({ type: 'success', content: t('devices.edit.done') });
        onClose();
      },
    }),
  );
  const set = (part: Partial<Draft>): void => setDraft((old) => ({ ...old, ...part }));
  const issues = fieldIssues(save.error, t);
  const nameProblem =
    tried && draft.name.trim() === '' ? t('devices.form.required') : issues.get('name');
  const text = (field: 'model' | 'hardwareRevision' | 'timeZone'): ReactNode => (
    <FormField label={t(`devices.form.${field}`)} errorText={issues.get(field)}>
      <Input value={draft[field]} onChange={({ detail }) => set({ [field]: detail.value })} />
    </FormField>
  );
  return (
    <FormDialog
      title={t('devices.edit.title')}
      submitLabel={t('app.save')}
      size="large"
      busy={save.isPending}
      error={save.error}
      fields={FIELDS}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true);
        const sound = labelProblems(draft.labels).every((problem) => problem === null);
        if (draft.name.trim() !== '' && sound) save.mutate({ id: device.id, ...inputOf(draft) });
      }}
    >
      <ColumnLayout columns={2}>
        <FormField label={t('devices.form.name')} errorText={nameProblem}>
          <Input value={draft.name} onChange={({ detail }) => set({ name: detail.value })} />
        </FormField>
        {text('model')}
        {text('hardwareRevision')}
        <FormField label={t('devices.form.owner')} errorText={issues.get('ownerId')}>
          <PersonPicker value={draft.owner} onChange={(owner) => set({ owner })} />
        </FormField>
        <FormField label={t('devices.form.country')} errorText={issues.get('country')}>
          <CountrySelect value={draft.country} onChange={(country) => set({ country })} />
        </FormField>
        {text('timeZone')}
      </ColumnLayout>
      <FormField label={t('devices.form.labels')} errorText={issues.get('labels')} stretch>
        <LabelsEditor entries={draft.labels} onChange={(labels) => set({ labels })} />
      </FormField>
    </FormDialog>
  );
}

function draftOf(device: DeviceDetail): Draft {
  return {
    name: device.name,
    model: device.model ?? '',
    hardwareRevision: device.hardwareRevision ?? '',
    timeZone: device.timeZone ?? '',
    country: device.country,
    owner: device.owner,
    labels: labelEntries(device.labels),
  };
}

function inputOf(draft: Draft) {
  return {
    name: draft.name.trim(),
    model: draft.model.trim() || null,
    hardwareRevision: draft.hardwareRevision.trim() || null,
    timeZone: draft.timeZone.trim() || null,
    country: draft.country,
    ownerId: draft.owner?.id ?? null,
    labels: labelsOf(draft.labels),
  };
}
