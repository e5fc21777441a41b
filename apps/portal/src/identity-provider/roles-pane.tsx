import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { ProviderRole } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { RoleMembers } from './members-table.tsx';
import { descriptionAndMembers, type PaneColumns } from './pane-columns.ts';
import { ProviderRoleDialog } from './provider-role-dialog.tsx';
import { RowMenu } from './row-menu.tsx';
import { useProviderChanged } from './use-provider-changed.ts';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';

const route = getRouteApi('/uam/provider');
const TABLE = 'provider-roles';

type Act = 'edit' | 'remove';
type Open = { readonly act: Act; readonly role: ProviderRole } | 'create' | undefined;

/** Application roles, and the members of the selected one. */
export function RolesPane(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const reason = useProviderDisabledReason();
  const { of } = route.useSearch();
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(String(pageSize));
  const query = useQuery(
    api.provider.roles.list.queryOptions(
      { pageSize, cursor: pages.cursor },
      { placeholderData: keepPreviousData },
    ),
  );
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const columns = useMemo(
    () => columnsOf({ t, format, reason, onOpen: setOpen }),
    [t, format, reason],
  );
  const chosen = query.data?.rows.find(({ id }) => id === of);
  return (
    <SpaceBetween size="l">
      <DataTable
        id={TABLE}
        label={t('identityProvider.roles')}
        variant="container"
        columns={columns}
        rows={query.data?.rows}
        rowKey={({ id }) => id}
        query={query}
        empty={{
          title: t('identityProvider.role.none'),
          body: t('identityProvider.role.noneHint'),
        }}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
        header={
          <Header
            variant="h2"
            description={t('identityProvider.role.about')}
            actions={
              <Button onClick={() => setOpen('create')} {...disabledProps(reason)}>
                {t('identityProvider.role.create')}
              </Button>
            }
          >
            {t('identityProvider.roles')}
          </Header>
        }
      />
      {chosen === undefined ? null : (
        <RoleMembers
          key={chosen.id}
          id={chosen.id}
          name={chosen.code}
          reason={chosen.isPortals ? t('identityProvider.role.portals') : undefined}
        />
      )}
      {open === 'create' ? <ProviderRoleDialog onClose={close} /> : null}
      {typeof open === 'object' && open.act === 'edit' ? (
        <ProviderRoleDialog role={open.role} onClose={close} />
      ) : null}
      {typeof open === 'object' && open.act === 'remove' ? (
        <RemoveDialog role={open.role} onClose={close} />
      ) : null}
    </SpaceBetween>
  );
}

/** Confirms the deletion of a role, by typing its code, because all members lose it. */
function RemoveDialog({
  role,
  onClose,
}: {
  readonly role: ProviderRole;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const changed = useProviderChanged();
  const remove = useMutation(
    api.provider.roles.remove.mutationOptions({
      onSuccess: () => {
        onClose();
        changed(t('identityProvider.removed', { name: role.code }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('identityProvider.remove.title', { name: role.code })}
      confirmLabel={t('identityProvider.act.remove')}
      busy={remove.isPending}
      {...(role.people === 0 ? {} : { typed: role.code })}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id: role.id })}
      onCancel={onClose}
    >
      {t('identityProvider.role.removeBody', { people: role.people })}
    </ConfirmDialog>
  );
}

function columnsOf({ t, format, reason, onOpen }: PaneColumns<Open>): TableColumn<ProviderRole>[] {
  return [
    {
      id: 'code',
      header: t('identityProvider.column.code'),
      cell: ({ id, code }) => (
        <PortalLink href={`/uam/provider?tab=roles&of=${id}`}>{code}</PortalLink>
      ),
      rowHeader: true,
      always: true,
      width: 240,
    },
    {
      id: 'namespace',
      header: t('identityProvider.role.namespace'),
      cell: ({ namespace }) => namespace,
      width: 160,
    },
    ...descriptionAndMembers({ t, format }, 340),
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (role) => (
        <RowMenu
          label={t('identityProvider.actsOf', { name: role.code })}
          acts={[
            {
              id: 'edit',
              text: t('identityProvider.act.edit'),
              reason,
              onAct: () => onOpen({ act: 'edit', role }),
            },
            {
              id: 'remove',
              text: t('identityProvider.act.remove'),
              reason: reason ?? (role.isPortals ? t('identityProvider.role.portals') : undefined),
              onAct: () => onOpen({ act: 'remove', role }),
            },
          ]}
        />
      ),
      width: 90,
    },
  ];
}
