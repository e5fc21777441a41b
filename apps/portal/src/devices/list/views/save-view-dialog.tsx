import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SavedView } from '@deviceportal/contract/devices';
import { useApi } from '../../../api/use-api.ts';
import { useT } from '../../../i18n/use-t.ts';
import { useViewer } from '../../../session/viewer-context.tsx';
import { roleName } from '../../../access/roles/role-words.ts';
import { fieldIssues } from '../../../ui/field-issues.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { viewSearchOf, type ViewScreen } from './saved-views.ts';

export interface SaveViewDialogProps {
  /** The view to rename or share. Undefined for a new one. */
  readonly view: SavedView | undefined;
  readonly search: Readonly<Record<string, string>>;
  readonly screen: ViewScreen;
  readonly onSaved: (view: SavedView) => void;
  readonly onCancel: () => void;
}

export function SaveViewDialog({
  view,
  search,
  screen,
  onSaved,
  onCancel,
}: SaveViewDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { detail } = useViewer();
  const [name, setName] = useState(view?.name ?? '');
  const [role, setRole] = useState(view?.sharedWithRole ?? null);
  const [tried, setTried] = useState(false);
  const save = useMutation(api.devices.saveView.mutationOptions({ onSuccess: onSaved }));
  const issues = fieldIssues(save.error, t);
  const personal = { value: '', label: t('devices.views.personal') };
  const roles = detail.roles.map((value) => ({
    value,
    label: t('devices.views.sharedWith', { role: roleName(value, t) }),
  }));
  const submit = (): void => {
    setTried(true);
    if (name.trim() === '') return;
    save.mutate({
      ...(view === undefined ? {} : { id: view.id }),
      name: name.trim(),
      screen: screen.id,
      search: viewSearchOf(search, screen),
      sharedWithRole: role,
    });
  };
  return (
    <FormDialog
      title={t(view === undefined ? 'devices.views.saveNew' : 'devices.views.edit')}
      submitLabel={t('app.save')}
      busy={save.isPending}
      error={save.error}
      fields={['name']}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <FormField
        label={t('devices.views.nameLabel')}
        errorText={tried && name.trim() === '' ? t('devices.form.required') : issues.get('name')}
      >
        <Input value={name} onChange={({ detail: { value } }) => setName(value.slice(0, 80))} />
      </FormField>
      <FormField label={t('devices.views.shareLabel')} description={t('devices.views.shareHelp')}>
        <Select
          options={[personal, ...roles]}
          selectedOption={roles.find(({ value }) => value === role) ?? personal}
          onChange={({ detail: { selectedOption } }) => setRole(selectedOption.value || null)}
        />
      </FormField>
    </FormDialog>
  );
}
