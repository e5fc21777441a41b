import Autosuggest from '@cloudscape-design/components/autosuggest';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { CountrySelect } from '../devices/country-select.tsx';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useChangedVersions } from './use-changed-versions.ts';

interface SoftwareDialogProps {
  readonly row: SoftwareVersionRow;
  readonly onClose: () => void;
}

function useDone(onClose: () => void): () => Promise<void> {
  const changed = useChangedVersions();
  return async () => {
    onClose();
    await changed();
  };
}

/**
 * Registers a version as a draft, of a given component or of one that no device has reported yet.
 */
export function RegisterDialog(props: {
  /** Empty if the user enters it. */
  readonly component: string;
  readonly onClose: () => void;
  readonly onRegistered?: (component: string) => void;
}): ReactNode {
  const { onClose, onRegistered } = props;
  const t = useT();
  const api = useApi();
  const [named, setComponent] = useState(props.component);
  const component = named.trim();
  const done = useDone(onClose);
  const [version, setVersion] = useState('');
  const [models, setModels] = useState('');
  const [notes, setNotes] = useState('');
  const register = useMutation(
    api.versions.register.mutationOptions({
      onSuccess: async (_answer, registered) => {
        await done();
        onRegistered?.(registered.component);
      },
    }),
  );
  return (
    <FormDialog
      title={t('versions.software.register')}
      submitLabel={t('versions.software.register')}
      busy={register.isPending}
      error={register.error}
      fields={[]}
      disabled={version.trim() === '' || component === ''}
      onSubmit={() => register.mutate({ component, version, models: listOf(models), notes })}
      onCancel={onClose}
    >
      <FormField
        label={t('versions.column.component')}
        description={t('versions.software.componentHint')}
      >
        <Input value={named} onChange={({ detail }) => setComponent(detail.value)} />
      </FormField>
      <FormField
        label={t('versions.column.version')}
        description={t('versions.software.versionHint')}
      >
        <Input value={version} onChange={({ detail }) => setVersion(detail.value)} />
      </FormField>
      <FormField
        label={t('versions.software.models')}
        description={t('versions.software.modelsHint')}
      >
        <Input value={models} onChange={({ detail }) => setModels(detail.value)} />
      </FormField>
      <FormField label={t('versions.software.notes')}>
        <Input value={notes} onChange={({ detail }) => setNotes(detail.value)} />
      </FormField>
    </FormDialog>
  );
}

/** Approves a version for a model and a country. */
export function ApproveDialog({ row, onClose }: SoftwareDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { component, version } = row;
  const [model, setModel] = useState(row.models[0] ?? '');
  const [country, setCountry] = useState<string | null>(null);
  const models = useQuery(api.devices.suggest.queryOptions({ key: 'model', text: '' }));
  const [mandatoryFrom, setMandatoryFrom] = useState('');
  const approve = useMutation(
    api.versions.approve.mutationOptions({ onSuccess: useDone(onClose) }),
  );
  const submit = (): void =>
    approve.mutate({
      component,
      version,
      model: model.trim() || '*',
      country: country ?? '*',
      mandatoryFrom: mandatoryFrom === '' ? null : `${mandatoryFrom}T00:00:00Z`,
    });
  return (
    <FormDialog
      title={t('versions.approvals.dialog', { component, version })}
      submitLabel={t('versions.software.approve')}
      busy={approve.isPending}
      error={approve.error}
      fields={[]}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormField label={t('versions.matrix.model')} description={t('versions.approvals.modelHint')}>
        <Autosuggest
          value={model}
          placeholder={t('versions.approvals.allModels')}
          enteredTextLabel={(text) => text}
          options={modelsFor(row, models.data ?? [])}
          onChange={({ detail }) => setModel(detail.value)}
        />
      </FormField>
      <FormField
        label={t('versions.approvals.country')}
        description={t('versions.approvals.countryHint')}
      >
        <CountrySelect
          value={country}
          none={t('versions.approvals.allCountries')}
          onChange={setCountry}
        />
      </FormField>
      <FormField
        label={t('versions.approvals.mandatoryFrom')}
        description={t('versions.approvals.mandatoryHint')}
      >
        <DatePicker
          value={mandatoryFrom}
          placeholder="YYYY/MM/DD"
          onChange={({ detail }) => setMandatoryFrom(detail.value)}
        />
      </FormField>
    </FormDialog>
  );
}

/** The models of the version, otherwise all models of the fleet. */
function modelsFor(
  { models }: SoftwareVersionRow,
  known: readonly { readonly value: string }[],
): { readonly value: string }[] {
  return models.length > 0 ? models.map((value) => ({ value })) : [...known];
}

/** Confirms that a version is blocked permanently. */
export function BlockDialog({ row, onClose }: SoftwareDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { component, version, devices } = row;
  const block = useMutation(
    api.versions.changeState.mutationOptions({ onSuccess: useDone(onClose) }),
  );
  return (
    <ConfirmDialog
      title={t('versions.software.blockTitle', { component, version })}
      confirmLabel={t('versions.software.block')}
      typed={version}
      busy={block.isPending}
      error={block.error === null ? null : <ErrorView error={block.error} place="alert" />}
      onConfirm={() => block.mutate({ component, version, state: 'blocked' })}
      onCancel={onClose}
    >
      {t('versions.software.blockBody', { count: devices })}
    </ConfirmDialog>
  );
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
