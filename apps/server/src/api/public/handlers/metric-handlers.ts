import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import type { Handlers } from '../operation-call.ts';

export const metricHandlers: Handlers<'getDeviceMetrics'> = {
  async getDeviceMetrics({ portal, params, query: { from, to, metric: metrics, points } }) {
    const found = await portal.deviceMetrics.get({
      ...{ deviceId: params.device, from, to, metrics, points },
    });
    return {
      ...found,
      times: [...found.times],
      losses: [...found.losses],
      series: found.series.map(({ metric, mean, min, max }) => ({
        ...{ metric, unit: metricDefinitions[metric].unit },
        ...{ mean: [...mean], min: [...min], max: [...max] },
      })),
    };
  },
};
