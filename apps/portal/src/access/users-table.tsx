import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useT } from '../i18n/use-t.ts';
import { DataTable, type TableQuery } from '../shell/table/data-table.tsx';
import { usersColumns } from './users-columns.tsx';

export interface UsersTableProps {
  readonly id: string;
  readonly title: string;
  readonly users: readonly UserRow[] | undefined;
  readonly query: TableQuery;
  readonly none: string;
}

/** Users as a part of another page. */
export function UsersTable({ id, title, users, query, none }: UsersTableProps): ReactNode {
  const t = useT();
  const columns = useMemo(() => usersColumns(t), [t]);
  return (
    <DataTable
      id={id}
      label={title}
      variant="container"
      withoutSettings
      columns={columns}
      rows={users}
      rowKey={(user) => user.id}
      query={query}
      empty={{ title: none }}
      header={
        <Header variant="h2" {...(users === undefined ? {} : { counter: `(${users.length})` })}>
          {title}
        </Header>
      }
    />
  );
}
