import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { AlertRow } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { alertColumns } from './alert-columns.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';

/** Firing or resolved alerts, latest first. */
export function AlertsTable({ state }: { readonly state: 'firing' | 'resolved' }): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const [open, setOpen] = useState<AlertRow>();
  const id = `alerts-${state}`;
  const pageSize = useTablePageSize(id);
  const pages = useKeysetPages(JSON.stringify([state, pageSize]));
  const query = useQuery(
    api.alerts.list.queryOptions(
      { state, cursor: pages.cursor, pageSize },
      {
        placeholderData: keepPreviousData,
        refetchInterval: state === 'firing' ? refreshMs.computed : refreshMs.list,
      },
    ),
  );
  const { refetch } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const columns = useMemo(
    () => alertColumns({ t, format, state, onDeliveries: setOpen }),
    [t, format, state],
  );
  return (
    <>
      <DataTable
        id={id}
        label={t(state === 'firing' ? 'alerts.tab.firing' : 'alerts.tab.history')}
        variant="container"
        wrapLines
        columns={columns}
        rows={query.data?.rows}
        rowKey={(row) => row.id}
        query={query}
        paging={{ pages, nextCursor: query.data?.nextCursor }}
        empty={{
          title: t(state === 'firing' ? 'alerts.noneFiring' : 'alerts.noneResolved'),
          body: t(state === 'firing' ? 'alerts.noneFiringBody' : 'alerts.noneResolvedBody'),
        }}
      />
      {open === undefined ? null : (
        <DeliveriesDialog alert={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
