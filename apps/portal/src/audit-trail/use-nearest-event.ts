import { useQuery } from '@tanstack/react-query';
import type { AuditEvent, AuditFilter } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import type { TimeRange } from '../ui/time/time-range.ts';

const AROUND_MS = 3_600_000;

/** The last matching event before an empty time range. */
export function useNearestEvent(filter: AuditFilter, isEmpty: boolean): AuditEvent | undefined {
  const api = useApi();
  const range = { from: null, to: filter.range.from };
  const { data } = useQuery(
    api.auditTrail.list.queryOptions(
      { filter: { ...filter, range }, pageSize: 1 },
      { enabled: isEmpty && range.to !== null, staleTime: 60_000 },
    ),
  );
  return isEmpty ? data?.rows[0] : undefined;
}

/** A time range with an event in the middle. */
export function rangeAround(at: string): TimeRange {
  const atMs = Date.parse(at);
  const moment = (ms: number): string => new Date(ms).toISOString();
  return { kind: 'absolute', from: moment(atMs - AROUND_MS), to: moment(atMs + AROUND_MS) };
}
