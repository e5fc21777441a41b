import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { DepartmentRow } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { DepartmentDialog } from './department-dialog.tsx';
import { departmentTree, type DepartmentNode } from './department-tree.ts';
import { DepartmentMembers } from './members-table.tsx';
import { descriptionAndMembers, type PaneColumns } from './pane-columns.ts';
import { RowMenu } from './row-menu.tsx';
import { useProviderChanged } from './use-provider-changed.ts';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

const route = getRouteApi('/uam/provider');

type Open =
  | { readonly act: 'edit' | 'remove' | 'below'; readonly department: DepartmentNode }
  | 'create'
  | undefined;

/** The departments of each organization, and the members of the selected one. */
export function DepartmentsPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const { of } = route.useSearch();
  const query = useQuery(api.provider.departments.list.queryOptions());
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const rows = useMemo(() => query.data && departmentTree(query.data), [query.data]);
  const columns = useMemo(
    () => columnsOf({ t, format, reason, onOpen: setOpen }),
    [t, format, reason],
  );
  const chosen = query.data?.find(({ id }) => id === of);
  return (
    <SpaceBetween size="l">
      <DataTable
        id="provider-departments"
        label={t('identityProvider.departments')}
        variant="container"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        query={query}
        empty={{
          title: t('identityProvider.department.none'),
          body: t('identityProvider.department.noneHint'),
        }}
        header={
          <Header
            variant="h2"
            {...(query.data && { counter: `(${query.data.length})` })}
            description={t('identityProvider.department.about')}
            actions={
              <Button onClick={() => setOpen('create')} {...disabledProps(reason)}>
                {t('identityProvider.department.createRoot')}
              </Button>
            }
          >
            {t('identityProvider.departments')}
          </Header>
        }
      />
      {chosen === undefined ? null : (
        <DepartmentMembers key={chosen.id} id={chosen.id} name={chosen.name} />
      )}
      <Dialogs open={open} all={query.data ?? []} onClose={close} />
    </SpaceBetween>
  );
}

function Dialogs({
  open,
  all,
  onClose,
}: {
  readonly open: Open;
  readonly all: readonly DepartmentRow[];
  readonly onClose: () => void;
}): ReactNode {
  if (open === undefined) return null;
  if (open === 'create') return <DepartmentDialog all={all} parentId={null} onClose={onClose} />;
  const { act, department } = open;
  if (act === 'remove') return <RemoveDialog department={department} onClose={onClose} />;
  return act === 'edit' ? (
    <DepartmentDialog
      all={all}
      department={department}
      parentId={department.parentId}
      onClose={onClose}
    />
  ) : (
    <DepartmentDialog all={all} parentId={department.id} onClose={onClose} />
  );
}

/**
 * Confirms the deletion of a department with everything below it. An empty department needs no
 * typed confirmation.
 */
function RemoveDialog({
  department,
  onClose,
}: {
  readonly department: DepartmentNode;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const { id, name, below, peopleBelow } = department;
  const remove = useMutation(
    api.provider.departments.remove.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.removed', { name }));
      },
    }),
  );
  const isEmpty = below === 0 && peopleBelow === 0;
  return (
    <ConfirmDialog
      title={t('identityProvider.remove.title', { name })}
      confirmLabel={t('identityProvider.act.remove')}
      busy={remove.isPending}
      {...(isEmpty ? {} : { typed: name })}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id })}
      onCancel={onClose}
    >
      {t('identityProvider.department.removeBody', { below, people: peopleBelow })}
    </ConfirmDialog>
  );
}

function columnsOf({
  t,
  format,
  reason,
  onOpen,
}: PaneColumns<Open>): TableColumn<DepartmentNode>[] {
  return [
    {
      id: 'name',
      header: t('identityProvider.column.name'),
      cell: ({ id, name, depth }) => (
        <span style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
          <PortalLink href={`/uam/provider?tab=departments&of=${id}`}>{name}</PortalLink>
        </span>
      ),
      rowHeader: true,
      always: true,
      width: 320,
    },
    {
      id: 'code',
      header: t('identityProvider.column.code'),
      cell: ({ code }) => code ?? '-',
      width: 140,
    },
    ...descriptionAndMembers({ t, format }, 320),
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (department) => (
        <RowMenu
          label={t('identityProvider.actsOf', { name: department.name })}
          acts={(['below', 'edit', 'remove'] as const).map((act) => ({
            id: act,
            text: t(`identityProvider.act.${act}`),
            reason,
            onAct: () => onOpen({ act, department }),
          }))}
        />
      ),
      width: 90,
    },
  ];
}
