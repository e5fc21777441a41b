import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/use-api.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { trendDays, type TrendDay } from './trend-days.ts';
import type { TrendPoint } from './trend-line.tsx';

const fresh = { staleTime: refreshMs.trend, refetchInterval: refreshMs.trend };

export interface Trends {
  readonly online: readonly TrendPoint[];
  readonly withFindings: readonly TrendPoint[];
  /** By day, newest first. */
  readonly days: readonly TrendDay[];
}

/** The last 30 days of the fleet and of runs that the viewer can see. */
export function useTrends(): Trends {
  const api = useApi();
  const { may } = useViewer();
  const fleet = useQuery(
    api.findings.trend.queryOptions(undefined, { ...fresh, enabled: may('devices:read') }),
  ).data?.points;
  const runs = useQuery(
    api.commands.runTrend.queryOptions(undefined, { ...fresh, enabled: may('commands:read') }),
  ).data?.days;
  return useMemo(() => {
    const sharesOf = (of: 'online' | 'withFindings'): TrendPoint[] =>
      (fleet ?? [])
        .filter(({ devices }) => devices > 0)
        .map((point) => ({ atMs: Date.parse(point.at), share: point[of] / point.devices }));
    return {
      online: sharesOf('online'),
      withFindings: sharesOf('withFindings'),
      days: trendDays(fleet ?? null, runs ?? null),
    };
  }, [fleet, runs]);
}
