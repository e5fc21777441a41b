import {
  METRIC_SECONDS_RANGE,
  metricDefinitions,
  metricNames,
  type MetricName,
} from '@deviceportal/contract/device-metrics';
import {
  MOST_BAND_DEVICES,
  type MetricBand,
  type ModelBand,
  type modelBandInput,
} from '@deviceportal/contract/model-band';
import { scopesOf } from '@deviceportal/contract/permissions';
import { unscaledValue } from '@deviceportal/device-protocol/metric-sample';
import type { z } from 'zod';
import { findDeviceRecord } from '../../devices/data/find-device-record.ts';
import { sampleModelDevices } from '../../devices/data/search/sample-model-devices.ts';
import { findDevice } from '../../devices/find-device.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { DeviceMetricsDeps } from '../get-device-metrics.ts';
import { secondsOf } from '../metric-time.ts';
import { bandOf, type Band } from './band-of.ts';
import { planBand } from './band-plan.ts';
import { readDevicesPoints } from './read-devices-points.ts';

/**
 * Percentiles of what other devices of the model measured, over a sample of the devices in service
 * within the viewer's scope. Cost does not grow with the number of devices.
 *
 * @throws PortalError deviceNotFound (6000)
 */
export async function getModelBand(
  { database, clock, metrics }: DeviceMetricsDeps,
  viewer: Viewer,
  input: z.infer<typeof modelBandInput>,
): Promise<ModelBand> {
  const on = database.orm;
  const deviceId = await findDevice(on, viewer, {
    reference: input.deviceId,
    permissions: ['devices:read'],
  });
  const nowSeconds = secondsOf(clock());
  const plan = planBand(
    { from: Date.parse(input.from) / 1_000, to: Date.parse(input.to) / 1_000 },
    {
      nowSeconds,
      retention: metrics.retention,
      sampleSeconds: metrics.sampleSeconds ?? METRIC_SECONDS_RANGE.default,
    },
  );
  const model = (await findDeviceRecord(on, deviceId))?.model ?? null;
  const deviceIds =
    model === null
      ? []
      : await sampleModelDevices(on, {
          ...{ model, without: deviceId, limit: MOST_BAND_DEVICES },
          scopes: scopesOf(viewer.grants, ['devices:read']),
        });
  const devices = await readDevicesPoints(on, deviceIds, { plan, nowSeconds });
  const band = bandOf(devices, plan);
  return {
    model,
    devices: devices.length,
    stepSeconds: plan.stepSeconds,
    times: band.times.map((time) => new Date(time * 1_000).toISOString()),
    series: metricNames.flatMap((metric) => toSeries(metric, band)),
  };
}

function toSeries(metric: MetricName, { metrics }: Band): readonly MetricBand[] {
  const columns = metrics.get(metricDefinitions[metric].id);
  if (columns === undefined) return [];
  const toValues = (values: readonly (number | null)[]): (number | null)[] =>
    values.map((value) => (value === null ? null : unscaledValue(metric, value)));
  return [
    {
      metric,
      median: toValues(columns.median),
      low: toValues(columns.low),
      high: toValues(columns.high),
    },
  ];
}
