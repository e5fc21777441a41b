import { deviceMetricsInput, type DeviceMetrics } from '@deviceportal/contract/device-metrics';
import {
  metricDistributionInput,
  type MetricDistribution,
} from '@deviceportal/contract/metric-distribution';
import { modelBandInput, type ModelBand } from '@deviceportal/contract/model-band';
import { permitted, router } from '../platform/api.ts';
import { getMetricDistribution } from './fleet/get-metric-distribution.ts';
import { getDeviceMetrics, type DeviceMetricsDeps } from './get-device-metrics.ts';
import { getModelBand } from './model-band/get-model-band.ts';

/** What devices have measured over time. */
export function createDeviceMetricsRouter(deps: DeviceMetricsDeps) {
  return router({
    get: permitted('devices:read')
      .input(deviceMetricsInput)
      .query(({ ctx, input }): Promise<DeviceMetrics> => getDeviceMetrics(deps, ctx.viewer, input)),

    distribution: permitted('devices:read')
      .input(metricDistributionInput)
      .query(({ ctx, input }): Promise<MetricDistribution> =>
        getMetricDistribution(deps, ctx.viewer, input),
      ),

    modelBand: permitted('devices:read')
      .input(modelBandInput)
      .query(({ ctx, input }): Promise<ModelBand> => getModelBand(deps, ctx.viewer, input)),
  });
}
