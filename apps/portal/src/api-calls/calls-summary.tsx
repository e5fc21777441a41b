import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useApi, type ApiOutputs } from '../api/use-api.ts';
import { useFormat, type Formatters } from '../i18n/format-values.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { DataTable, type TableSort } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';

type Summary = ApiOutputs['apiCalls']['summary'][number];
type SummarySort = 'path' | 'calls' | 'errors' | 'medianMs' | 'p95Ms';

export interface CallsSummaryProps {
  readonly period: string;
  readonly onPeriod: (period: string) => void;
}

/** Calls, failures, and durations by procedure. */
export function CallsSummary({ period, onPeriod }: CallsSummaryProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const isDay = period === '24h';
  const query = useQuery(api.apiCalls.summary.queryOptions({ minutes: isDay ? 1_440 : 60 }));
  const { refetch, data } = query;
  useRefresh(useCallback(() => void refetch(), [refetch]));
  const [sorting, setSorting] = useState<TableSort>({ sort: 'calls', descending: true });
  const total = useMemo(
    () => ({
      calls: sum(data, 'calls'),
      errors: sum(data, 'errors'),
      most: Math.max(1, ...(data ?? []).map(({ calls }) => calls)),
    }),
    [data],
  );
  const columns = useMemo(
    () => columnsOf({ t, format, most: total.most, range: isDay ? '24h' : '1h' }),
    [t, format, total.most, isDay],
  );
  return (
    <DataTable
      id="api-calls-summary"
      label={t('apiCalls.summary.title')}
      variant="container"
      withoutSettings
      columns={columns}
      rows={data === undefined ? undefined : sorted(data, sorting)}
      rowKey={(row) => row.path}
      query={query}
      sorting={sorting}
      onSort={setSorting}
      empty={{ title: t('apiCalls.summary.none') }}
      header={
        <Header
          variant="h2"
          actions={
            <SegmentedControl
              label={t('apiCalls.summary.period')}
              selectedId={isDay ? '24h' : '60m'}
              options={[
                { id: '60m', text: t('apiCalls.summary.hour') },
                { id: '24h', text: t('apiCalls.summary.day') },
              ]}
              onChange={({ detail }) => onPeriod(detail.selectedId === '24h' ? '24h' : '')}
            />
          }
          description={data === undefined ? ' ' : t('apiCalls.summary.total', total)}
        >
          {t('apiCalls.summary.title')}
        </Header>
      }
    />
  );
}

const sum = (rows: readonly Summary[] | undefined, field: 'calls' | 'errors'): number =>
  (rows ?? []).reduce((total, row) => total + row[field], 0);

function sorted(rows: readonly Summary[], { sort, descending }: TableSort): Summary[] {
  const field = sort as SummarySort;
  const compare = (one: Summary, other: Summary): number => {
    const [left, right] = [one[field], other[field]];
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right));
  };
  return rows.toSorted((one, other) => (descending ? -compare(one, other) : compare(one, other)));
}

interface ColumnWords {
  readonly t: Translate;
  readonly format: Formatters;
  /** Calls of the most called procedure, which has the longest bar. */
  readonly most: number;
  readonly range: string;
}

function columnsOf({ t, format, most, range }: ColumnWords): TableColumn<Summary>[] {
  return [
    {
      id: 'path',
      header: t('apiCalls.column.path'),
      cell: ({ path }) => (
        <PortalLink href={`/api-calls?q=${encodeURIComponent(`path=${path}`)}&t=${range}`}>
          {path}
        </PortalLink>
      ),
      sort: 'path',
      rowHeader: true,
      width: 260,
    },
    {
      id: 'calls',
      header: t('apiCalls.column.calls'),
      cell: ({ calls }) => <ShareBar share={calls / most} words={format.number(calls)} />,
      sort: 'calls',
      width: 220,
    },
    {
      id: 'errors',
      header: t('apiCalls.column.errors'),
      cell: ({ path, errors }) =>
        errors === 0 ? (
          '0'
        ) : (
          <Box variant="span" color="text-status-error">
            <PortalLink
              href={`/api-calls?q=${encodeURIComponent(`path=${path};result=errors`)}&t=${range}`}
            >
              {format.number(errors)}
            </PortalLink>
          </Box>
        ),
      sort: 'errors',
      numeric: true,
      width: 110,
    },
    {
      id: 'median',
      header: t('apiCalls.column.median'),
      cell: (row) => format.duration(row.medianMs),
      sort: 'medianMs',
      numeric: true,
      width: 130,
    },
    {
      id: 'p95',
      header: t('apiCalls.column.p95'),
      cell: (row) => format.duration(row.p95Ms),
      sort: 'p95Ms',
      numeric: true,
      width: 150,
    },
  ];
}
