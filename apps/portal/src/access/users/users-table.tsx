import Header from '@cloudscape-design/components/header';
import { useMemo, type ReactNode } from 'react';
import type { UserRow } from '@deviceportal/contract/access';
import { useT } from '../../i18n/use-t.ts';
import { DataTable, type TableQuery } from '../../ui/table/data-table.tsx';
import { usersColumns } from './users-columns.tsx';

export interface UsersTableProps {
  readonly id: string;
  readonly title: string;
  readonly users: readonly UserRow[] | undefined;
  readonly query: TableQuery;
  readonly none: string;
  /** The total, if not all users are shown. */
  readonly count?: number | undefined;
  readonly action?: ReactNode;
}

/** Users as a section of another page. */
export function UsersTable(props: UsersTableProps): ReactNode {
  const { id, title, users, query, none, count = users?.length, action } = props;
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
        <Header
          variant="h2"
          {...(count === undefined ? {} : { counter: `(${count})` })}
          {...(action === undefined ? {} : { actions: action })}
        >
          {title}
        </Header>
      }
    />
  );
}
