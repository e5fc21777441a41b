import {
  colorChartsPaletteCategorical5,
  colorTextBodySecondary,
} from '@cloudscape-design/design-tokens';
import type { MetricBand, ModelBand } from '@deviceportal/contract/model-band';
import type {
  DeviceMetrics,
  MetricName,
  MetricSeries,
} from '@deviceportal/contract/device-metrics';
import { nearestIndex } from '../chart-paths.ts';

/** What a metric of the device is compared with. */
export type ComparisonKind = 'model' | 'device';

/** Drawn in the same chart as the metric of the device. */
export interface ComparedSeries {
  readonly kind: ComparisonKind;
  /** The model or the serial number. */
  readonly name: string;
  /** Milliseconds since 1970, one for each point. */
  readonly times: readonly number[];
  readonly stepMs: number;
  /** Of a device, minimum and maximum are the mean, because only its line is drawn. */
  readonly values: Pick<MetricSeries, 'mean' | 'min' | 'max'>;
}

export type ComparedByMetric = ReadonlyMap<MetricName, readonly ComparedSeries[]>;

export const comparisonColors: Readonly<Record<ComparisonKind, string>> = {
  model: colorTextBodySecondary,
  device: colorChartsPaletteCategorical5,
};

/** The median of a model as a line, and its percentiles as an area, in the middle of each interval. */
export function bandSeries(
  { model, times, stepSeconds }: Pick<ModelBand, 'model' | 'times' | 'stepSeconds'>,
  { median, low, high }: MetricBand,
): ComparedSeries {
  const stepMs = stepSeconds * 1_000;
  return {
    kind: 'model',
    name: model ?? '',
    times: times.map((time) => Date.parse(time) + stepMs / 2),
    stepMs,
    values: { mean: median, min: low, max: high },
  };
}

export function deviceSeries(
  name: string,
  { times, stepSeconds }: Pick<DeviceMetrics, 'times' | 'stepSeconds'>,
  { mean }: MetricSeries,
): ComparedSeries {
  return {
    kind: 'device',
    name,
    times: times.map((time) => Date.parse(time)),
    stepMs: stepSeconds * 1_000,
    values: { mean, min: mean, max: mean },
  };
}

interface ComparedValue {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** The values nearest to a time; undefined if there are none within a step. */
export function comparedAt(
  { times, stepMs, values }: ComparedSeries,
  atMs: number,
): ComparedValue | undefined {
  const index = nearestIndex(times, atMs);
  if (index === undefined || Math.abs((times[index] ?? 0) - atMs) > stepMs) return undefined;
  const mean = values.mean[index] ?? null;
  if (mean === null) return undefined;
  return { mean, min: values.min[index] ?? mean, max: values.max[index] ?? mean };
}
