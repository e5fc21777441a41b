import { z } from 'zod';
import {
  isMetricRange,
  METRIC_POINTS_RANGE,
  metricNames,
  metricRangeIssue,
  metricResolutions,
  metricUnits,
} from '../devices/device-metrics.ts';
import { deviceReference, repeated, timestampSchema } from './common-schemas.ts';
import type { PublicOperation } from './public-operation.ts';

const values = z.array(z.number().nullable());
const DAY_MS = 86_400_000;

export const metricOperations = {
  getDeviceMetrics: {
    method: 'get',
    path: '/devices/{device}/metrics',
    tag: 'Metrics',
    summary: 'Get what a device has measured over time',
    params: z.object({ device: deviceReference }),
    query: z
      .strictObject({
        from: z.iso
          .datetime({ offset: true })
          .default(() => new Date(Date.now() - DAY_MS).toISOString())
          .meta({ description: 'Default: a day ago.', default: undefined }),
        to: z.iso
          .datetime({ offset: true })
          .default(() => new Date().toISOString())
          .meta({ description: 'Default: now.', default: undefined }),
        metric: repeated(z.enum(metricNames)).meta({ description: 'All by default.' }),
        points: z.coerce
          .number()
          .int()
          .min(METRIC_POINTS_RANGE.min)
          .max(METRIC_POINTS_RANGE.max)
          .default(METRIC_POINTS_RANGE.default)
          .meta({ description: 'Most points of a series.' }),
      })
      .refine(isMetricRange, metricRangeIssue),
    output: z
      .object({
        from: timestampSchema,
        to: timestampSchema,
        resolution: z
          .enum(metricResolutions)
          .meta({ description: 'What the points were computed from.' }),
        stepSeconds: z.number().meta({ description: 'Between two points.' }),
        times: z
          .array(timestampSchema)
          .meta({ description: 'Start of the interval of each point.' }),
        series: z.array(
          z.object({
            metric: z.enum(metricNames),
            unit: z.enum(metricUnits),
            mean: values.meta({ description: 'One for each time; null without a measurement.' }),
            min: values,
            max: values,
          }),
        ),
        losses: z
          .array(z.object({ before: timestampSchema, samples: z.number() }))
          .meta({ description: 'Samples that the device deleted, because it had no room.' }),
        newestAt: timestampSchema
          .nullable()
          .meta({ description: 'The newest sample of the device.' }),
      })
      .meta({ id: 'DeviceMetrics' }),
    status: 200,
    permissions: ['devices:read'],
  },
} as const satisfies Record<string, PublicOperation>;
