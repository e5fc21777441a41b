import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { ExportedMetric, TelemetryOptions } from '@deviceportal/server/telemetry-package';

/** The metrics of `/metrics`, with the same names, labels, and values. */
export function produceMetrics(
  read: TelemetryOptions['readMetrics'],
  startedAt: Date,
): MetricProducer {
  const startTime = millisToHrTime(startedAt.getTime());
  return {
    async collect() {
      const times = { startTime, endTime: millisToHrTime(Date.now()) };
      const metrics = (await read()).map((metric) => convert(metric, times));
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope: { name: 'device-portal' }, metrics }],
        },
        errors: [],
      };
    },
  };
}

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

function convert(metric: ExportedMetric, times: Times): MetricData {
  const base = {
    descriptor: {
      ...{ name: metric.name, description: metric.help, unit: '' },
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (metric.type === 'histogram') {
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: histogramsOf(metric, times),
    };
  }
  const dataPoints = metric.values
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ labels, value }) => ({ ...times, attributes: textOf(labels), value }));
  return metric.type === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Prometheus counts what is at most a boundary; OTLP what is between two. */
function histogramsOf({ name, values }: ExportedMetric, times: Times): DataPoint<Histogram>[] {
  const series = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) =>
    JSON.stringify(textOf(labels)),
  );
  return [...series].map(([attributes, those]) => {
    const buckets = those
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels, value }) => ({
        le: Number(String(labels['le']).replace('+Inf', 'Infinity')),
        value,
      }))
      .toSorted((one, other) => one.le - other.le);
    const valueOf = (part: string): number =>
      those.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0;
    return {
      ...times,
      attributes: JSON.parse(attributes) as Attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ le }) => le).filter(Number.isFinite),
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
        sum: valueOf('sum'),
        count: valueOf('count'),
      },
    };
  });
}

const textOf = (labels: ExportedMetric['values'][number]['labels']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => [label, String(value)]),
  );
