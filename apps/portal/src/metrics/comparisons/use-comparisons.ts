import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metricNames, type DeviceMetrics } from '@deviceportal/contract/device-metrics';
import type { ModelBand } from '@deviceportal/contract/model-band';
import { useApi } from '../../api/use-api.ts';
import { refreshMs } from '../../live/refresh-policy.ts';
import { bandSpan, type TimeSpan } from '../metric-range.ts';
import { toMetricInput } from '../to-metric-input.ts';
import {
  bandSeries,
  deviceSeries,
  type ComparedByMetric,
  type ComparedSeries,
} from './compared-series.ts';

interface Wanted {
  readonly deviceId: string;
  readonly span: TimeSpan;
  readonly model: boolean;
  /** Serial number or ID of another device; empty for none. */
  readonly other: string;
  /** False until the metrics of the device are loaded: in the same batch, they would wait. */
  readonly isReady: boolean;
}

export interface Comparisons {
  readonly band: UseQueryResult<ModelBand, unknown>;
  readonly other: UseQueryResult<DeviceMetrics, unknown>;
  readonly compared: ComparedByMetric;
}

/** What the metrics of a device are compared with. */
export function useComparisons({ deviceId, span, model, other, isReady }: Wanted): Comparisons {
  const api = useApi();
  const bandQuery = useQuery(
    api.deviceMetrics.modelBand.queryOptions(
      { deviceId, ...toMetricInput(bandSpan(span)) },
      {
        enabled: isReady && model,
        placeholderData: keepPreviousData,
        // The range changes when there is a further interval.
        staleTime: Number.POSITIVE_INFINITY,
        // Devices that have just connected have no metrics yet.
        refetchInterval: ({ state }) =>
          state.data?.series.length === 0 ? refreshMs.totals : false,
      },
    ),
  );
  const otherQuery = useQuery(
    api.deviceMetrics.get.queryOptions(
      { deviceId: other, ...toMetricInput(span) },
      {
        enabled: isReady && other !== '',
        refetchInterval: refreshMs.totals,
      },
    ),
  );
  const band = model ? bandQuery.data : undefined;
  const otherMetrics = other === '' ? undefined : otherQuery.data;
  const compared = useMemo(
    () =>
      new Map(
        metricNames.map((metric) => {
          const ofModel = band?.series.find((series) => series.metric === metric);
          const ofOther = otherMetrics?.series.find((series) => series.metric === metric);
          const series: readonly ComparedSeries[] = [
            ...(band && ofModel ? [bandSeries(band, ofModel)] : []),
            ...(otherMetrics && ofOther ? [deviceSeries(other, otherMetrics, ofOther)] : []),
          ];
          return [metric, series];
        }),
      ),
    [band, other, otherMetrics],
  );
  return { band: bandQuery, other: otherQuery, compared };
}
