import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { encodeFilter, type FilterQuery } from '../ui/filter-codec.ts';
import { useRefresh } from '../ui/page-slots.tsx';
import { PropertyFilterBar } from '../ui/property-filter-bar.tsx';
import { serverNowMs } from '../ui/time/server-clock.ts';
import { DataTable, useTablePageSize } from '../ui/table/data-table.tsx';
import { useKeysetPages } from '../ui/table/use-keyset-pages.ts';
import { TimeRangePicker } from '../ui/time/time-range-picker.tsx';
import {
  encodeTimeRange,
  momentsOf,
  parseTimeRange,
  timeRangeMs,
  type TimeRange,
} from '../ui/time/time-range.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { decodeCallsFilter } from './api-calls-filter.ts';
import { callColumns } from './call-columns.tsx';
import { CallsHistory } from './calls-history.tsx';
import { RequestTrail } from './request-trail.tsx';
import { useCallProperties } from './use-call-properties.ts';

export interface CallsAddress {
  readonly q: string;
  readonly t: string;
}

export interface CallsTableProps {
  readonly address: CallsAddress;
  readonly onChange: (part: Partial<CallsAddress>) => void;
}

const DEFAULT_RANGE: TimeRange = { kind: 'relative', amount: 1, unit: 'h' };
const choices = [
  { amount: 15, unit: 'm' },
  { amount: 1, unit: 'h' },
  { amount: 24, unit: 'h' },
  { amount: 7, unit: 'd' },
  { amount: 30, unit: 'd' },
] as const;

/** The calls of a time range, newest first. */
export function CallsTable({ address, onChange }: CallsTableProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const calls = useCalls(address);
  const { query, pages, range, decoded, history } = calls;
  const { requestId } = decoded.filter;
  const onRange = (chosen: TimeRange): void => onChange({ t: encodeTimeRange(chosen) });
  const hasAudit = may('audit-trail:read');
  const hasAccess = may('access:read');
  const columns = useMemo(() => callColumns({ t, format, hasAccess }), [t, format, hasAccess]);
  const properties = useCallProperties(hasAccess);
  const filtered = decoded.query.tokens.length > 0;
  const onFilter = (changed: FilterQuery): void => onChange({ q: encodeFilter(changed) });
  const above =
    requestId === null ? (
      <CallsHistory history={history} onRange={onRange} />
    ) : (
      hasAudit && <RequestTrail requestId={requestId} />
    );
  const table = (
    <DataTable
      id="api-calls"
      label={t('app.nav.apiCalls')}
      variant="container"
      columns={columns}
      rows={query.data?.rows}
      rowKey={(call) => call.id}
      query={query}
      empty={{
        title: t('apiCalls.none'),
        body: t('apiCalls.noneBody'),
        action: <Wider range={range} onRange={onRange} />,
      }}
      onClearFilter={filtered ? () => onChange({ q: '' }) : undefined}
      paging={{ pages, nextCursor: query.data?.nextCursor, disabled: query.isPlaceholderData }}
      header={
        <Header
          variant="h2"
          actions={
            <Button iconName="refresh" ariaLabel={t('apiCalls.refresh')} onClick={calls.refresh} />
          }
        >
          {t('apiCalls.tab.calls')}
        </Header>
      }
      filter={
        <SpaceBetween size="s">
          <div className="dp-calls-tools">
            <div className="dp-calls-filter">
              <PropertyFilterBar
                properties={properties}
                query={decoded.query}
                onChange={onFilter}
                placeholder={t('apiCalls.find')}
              />
            </div>
            <TimeRangePicker value={range} choices={choices} onChange={onRange} />
          </div>
          {decoded.dropped.length === 0 ? null : (
            <Alert type="info">
              {t('apiCalls.page.dropped', {
                tokens: encodeFilter({ tokens: decoded.dropped, operation: 'and' }),
              })}
            </Alert>
          )}
        </SpaceBetween>
      }
    />
  );
  return (
    <SpaceBetween size="m">
      {above}
      {table}
    </SpaceBetween>
  );
}

function useCalls({ q, t: period }: CallsAddress) {
  const api = useApi();
  const [asOfMs, setAsOfMs] = useState(serverNowMs);
  const range = useMemo(() => parseTimeRange(period) ?? DEFAULT_RANGE, [period]);
  const decoded = useMemo(() => decodeCallsFilter(q), [q]);
  const moments = useMemo(() => momentsOf(range, asOfMs), [range, asOfMs]);
  const pageSize = useTablePageSize('api-calls');
  const pages = useKeysetPages(JSON.stringify([decoded.filter, moments, pageSize]));
  const query = useQuery(
    api.apiCalls.list.queryOptions(
      { ...decoded.filter, range: moments, pageSize, cursor: pages.cursor },
      // The list stays as loaded until the user refreshes it.
      { placeholderData: keepPreviousData, refetchInterval: false },
    ),
  );
  const history = useQuery(
    api.apiCalls.history.queryOptions(
      { ...decoded.filter, range: moments },
      {
        placeholderData: keepPreviousData,
        refetchInterval: false,
        enabled: decoded.filter.requestId === null,
      },
    ),
  ).data;
  const refresh = useCallback(() => setAsOfMs(serverNowMs()), []);
  useRefresh(refresh);
  return { query, pages, range, decoded, history, refresh };
}

const wider: readonly TimeRange[] = [
  { kind: 'relative', amount: 24, unit: 'h' },
  { kind: 'relative', amount: 7, unit: 'd' },
  { kind: 'relative', amount: 30, unit: 'd' },
];

function Wider({
  range,
  onRange,
}: {
  readonly range: TimeRange;
  readonly onRange: (range: TimeRange) => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const longer = wider.filter((each) => timeRangeMs(each) > timeRangeMs(range)).slice(0, 2);
  return (
    <Box display="inline-block">
      <SpaceBetween direction="horizontal" size="xs">
        {longer.map((each) => (
          <Button key={timeRangeMs(each)} onClick={() => onRange(each)}>
            {t('apiCalls.widen', { range: format.duration(timeRangeMs(each)) })}
          </Button>
        ))}
      </SpaceBetween>
    </Box>
  );
}
