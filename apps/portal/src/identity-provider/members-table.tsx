import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import type { Member, MemberPage } from '@deviceportal/contract/provider-admin';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { StatusOf } from '../ui/status-of.tsx';
import { DataTable, useTablePageSize, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { useKeysetPages, type KeysetPages } from '../ui/table/use-keyset-pages.ts';
import { Time } from '../ui/time/time.tsx';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { useProviderChanged } from './use-provider-changed.ts';
import { disabledProps, useProviderDisabledReason } from './use-provider-disabled-reason.ts';
import type { MemberChange } from './member-change.ts';

const TABLE = 'provider-members';

interface Owner {
  readonly id: string;
  readonly name: string;
}

/** The members of a department. */
export function DepartmentMembers({ id, name }: Owner): ReactNode {
  const t = useT();
  const api = useApi();
  const { pages, input } = usePages(id);
  const query = useQuery(
    api.provider.departments.listMembers.queryOptions(input, { placeholderData: keepPreviousData }),
  );
  const changed = useProviderChanged();
  const add = useMutation(
    api.provider.departments.addMember.mutationOptions({ onSuccess: () => changed() }),
  );
  const remove = useMutation(
    api.provider.departments.removeMember.mutationOptions({ onSuccess: () => changed() }),
  );
  return (
    <MembersTable
      title={t('identityProvider.member.inDepartment', { name })}
      owner={{ id, name }}
      page={query.data}
      {...{ query, pages, add, remove }}
    />
  );
}

/** The members of a role. */
export function RoleMembers({
  id,
  name,
  reason,
}: Owner & { readonly reason?: string | undefined }): ReactNode {
  const t = useT();
  const api = useApi();
  const { pages, input } = usePages(id);
  const query = useQuery(
    api.provider.roles.listMembers.queryOptions(input, { placeholderData: keepPreviousData }),
  );
  const changed = useProviderChanged();
  const add = useMutation(
    api.provider.roles.addMember.mutationOptions({ onSuccess: () => changed() }),
  );
  const remove = useMutation(
    api.provider.roles.removeMember.mutationOptions({ onSuccess: () => changed() }),
  );
  return (
    <MembersTable
      title={t('identityProvider.member.withRole', { name })}
      owner={{ id, name }}
      reason={reason}
      page={query.data}
      {...{ query, pages, add, remove }}
    />
  );
}

function usePages(id: string) {
  const pageSize = useTablePageSize(TABLE);
  const pages = useKeysetPages(JSON.stringify([id, pageSize]));
  return { pages, input: { id, pageSize, cursor: pages.cursor } };
}

interface MembersTableProps {
  readonly title: string;
  readonly owner: Owner;
  /** The reason for which members cannot be added or removed, apart from missing permissions. */
  readonly reason?: string | undefined;
  readonly page: MemberPage | undefined;
  readonly query: TableQuery;
  readonly pages: KeysetPages;
  readonly add: MemberChange<{ id: string; person: string }>;
  readonly remove: MemberChange<{ id: string; userId: string }>;
}

function MembersTable(props: MembersTableProps): ReactNode {
  const { title, owner, page, query, pages, add, remove } = props;
  const t = useT();
  const manage = useProviderDisabledReason();
  const reason = manage ?? props.reason;
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member>();
  const columns = useMemo(() => columnsOf({ t, reason, onRemove: setRemoving }), [t, reason]);
  return (
    <>
      <DataTable
        id={TABLE}
        label={title}
        variant="container"
        withoutSettings
        columns={columns}
        rows={page?.rows}
        rowKey={({ userId }) => userId}
        query={query}
        empty={{ title: t('identityProvider.member.none') }}
        paging={{ pages, nextCursor: page?.nextCursor }}
        header={
          <Header
            variant="h2"
            actions={
              <Button onClick={() => setAdding(true)} {...disabledProps(reason)}>
                {t('identityProvider.member.add')}
              </Button>
            }
          >
            {title}
          </Header>
        }
      />
      {isAdding ? (
        <AddMemberDialog
          title={title}
          ownerId={owner.id}
          add={add}
          onClose={() => {
            add.reset();
            setAdding(false);
          }}
        />
      ) : null}
      {removing === undefined ? null : (
        <ConfirmDialog
          title={t('identityProvider.member.removeTitle', { name: removing.username })}
          confirmLabel={t('identityProvider.act.remove')}
          busy={remove.isPending}
          error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
          onConfirm={() =>
            remove.mutate(
              { id: owner.id, userId: removing.userId },
              { onSuccess: () => setRemoving(undefined) },
            )
          }
          onCancel={() => setRemoving(undefined)}
        >
          {t('identityProvider.member.removeBody', { name: owner.name })}
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsOf({
  t,
  reason,
  onRemove,
}: {
  readonly t: Translate;
  readonly reason: string | undefined;
  readonly onRemove: (member: Member) => void;
}): TableColumn<Member>[] {
  return [
    {
      id: 'username',
      header: t('identityProvider.member.username'),
      cell: ({ username }) => username,
      rowHeader: true,
      always: true,
      width: 280,
    },
    {
      id: 'status',
      header: t('identityProvider.member.status'),
      cell: ({ status }) => <StatusOf kind="user" value={status} />,
      width: 150,
    },
    {
      id: 'name',
      header: t('identityProvider.column.name'),
      cell: ({ name }) => name || '-',
      width: 220,
    },
    {
      id: 'since',
      header: t('identityProvider.member.since'),
      cell: ({ since }) => <Time at={since} />,
      width: 150,
    },
    {
      id: 'acts',
      header: t('identityProvider.column.acts'),
      cell: (member) => (
        <Button
          variant="inline-link"
          ariaLabel={t('identityProvider.member.removeOf', { name: member.username })}
          onClick={() => onRemove(member)}
          {...disabledProps(reason)}
        >
          {t('identityProvider.act.remove')}
        </Button>
      ),
      width: 110,
    },
  ];
}
