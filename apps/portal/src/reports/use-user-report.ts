import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApi } from '../api/use-api.ts';
import { serverNowMs } from '../shell/server-clock.ts';
import { momentsOf, parseTimeRange, type TimeRange } from '../shell/time-range.ts';

const DEFAULT_RANGE: TimeRange = { kind: 'relative', amount: 7, unit: 'd' };

/**
 * The report of a person and a period. Each making is recorded in the audit trail, so nothing makes it again unasked:
 * neither the window's focus nor a reconnect.
 */
export function useUserReport(personId: string, period: string, enabled: boolean) {
  const api = useApi();
  const [asOfMs, setAsOfMs] = useState(serverNowMs);
  const range = useMemo(() => parseTimeRange(period) ?? DEFAULT_RANGE, [period]);
  const moments = useMemo(() => {
    const { from, to } = momentsOf(range, asOfMs);
    return { from, to: to ?? new Date(asOfMs).toISOString() };
  }, [range, asOfMs]);
  const query = useQuery(
    api.reports.userReport.queryOptions(
      { personId, range: moments },
      {
        enabled: enabled && personId !== '',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchOnMount: false,
      },
    ),
  );
  const makeAgain = useCallback(() => setAsOfMs(serverNowMs()), []);
  return { range, query, makeAgain };
}
