import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { DepartmentRow } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { fieldIssues } from '../ui/field-issues.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { departmentTree } from './department-tree.ts';
import { useProviderChanged } from './use-provider-changed.ts';

const FIELDS = ['name', 'parentId', 'code', 'description'];

/** Creates a department below another one, creates an organization, or edits one of them. */
export function DepartmentDialog(props: {
  readonly all: readonly DepartmentRow[];
  readonly department?: DepartmentRow;
  readonly parentId: string | null;
  readonly onClose: () => void;
}): ReactNode {
  const { all, department, onClose } = props;
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const [parentId, setParentId] = useState(props.parentId);
  const [name, setName] = useState(department?.name ?? '');
  const [code, setCode] = useState(department?.code ?? '');
  const [description, setDescription] = useState(department?.description ?? '');
  const onSuccess = (): void => {
    onClose();
    changed(t('identityProvider.saved', { name }));
  };
  const create = useMutation(api.provider.departments.create.mutationOptions({ onSuccess }));
  const edit = useMutation(api.provider.departments.edit.mutationOptions({ onSuccess }));
  const { error, isPending } = department === undefined ? create : edit;
  const issues = fieldIssues(error, t);
  const submit = (): void => {
    const input = { name, description, parentId, code: code.trim() === '' ? null : code.trim() };
    if (department === undefined) create.mutate(input);
    else edit.mutate({ ...input, id: department.id });
  };
  return (
    <FormDialog
      title={titleOf()}
      submitLabel={t('identityProvider.act.save')}
      busy={isPending}
      error={error}
      fields={FIELDS}
      disabled={name.trim() === ''}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormField label={t('identityProvider.column.name')} stretch>
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      {parentId === null ? null : (
        <FormField
          label={t('identityProvider.department.parent')}
          {...(issues.has('parentId') && { errorText: t('identityProvider.wrong.parent') })}
          stretch
        >
          <ParentSelect all={all} own={department?.id} chosen={parentId} onChange={setParentId} />
        </FormField>
      )}
      <FormField
        label={t('identityProvider.column.code')}
        description={t('identityProvider.department.codeHint')}
        {...(issues.has('code') && { errorText: t('identityProvider.wrong.code') })}
        stretch
      >
        <Input value={code} spellcheck={false} onChange={({ detail }) => setCode(detail.value)} />
      </FormField>
      <FormField label={t('identityProvider.column.about')} stretch>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value)} />
      </FormField>
    </FormDialog>
  );

  function titleOf(): string {
    if (department !== undefined) {
      return t('identityProvider.department.editTitle', { name: department.name });
    }
    return t(
      props.parentId === null
        ? 'identityProvider.department.createRoot'
        : 'identityProvider.department.create',
    );
  }
}

function ParentSelect({
  all,
  own,
  chosen,
  onChange,
}: {
  readonly all: readonly DepartmentRow[];
  readonly own: string | undefined;
  readonly chosen: string;
  readonly onChange: (id: string) => void;
}): ReactNode {
  const options = departmentTree(all)
    .filter(({ id }) => id !== own)
    .map(({ id, name, depth }) => ({
      value: id,
      label: `${'\u2003'.repeat(depth)}${name}`,
    }));
  return (
    <Select
      selectedOption={options.find(({ value }) => value === chosen) ?? null}
      options={options}
      filteringType="auto"
      expandToViewport
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? chosen)}
    />
  );
}
