import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/use-api.ts';
import type { TrendPoint } from './trend-line.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/** The share of devices that were online, or had findings, over the last days. */
export function useFleetTrend(of: 'online' | 'withFindings'): readonly TrendPoint[] {
  const api = useApi();
  const { data } = useQuery(
    api.findings.trend.queryOptions(undefined, {
      staleTime: refreshMs.trend,
      refetchInterval: refreshMs.trend,
    }),
  );
  return useMemo(
    () =>
      (data?.points ?? [])
        .filter(({ devices }) => devices > 0)
        .map((point) => ({ atMs: Date.parse(point.at), share: point[of] / point.devices })),
    [data, of],
  );
}
