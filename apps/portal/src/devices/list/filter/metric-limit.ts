import type { MetricName, MetricUnit } from '@deviceportal/contract/device-metrics';
import type { Translate } from '../../../i18n/use-t.ts';

/** Only types are imported: the schemas of metrics are not loaded with the device list. */
const units: Readonly<Record<MetricName, MetricUnit>> = {
  cpuUsedPercent: 'percent',
  loadAverage: 'load',
  memoryUsedPercent: 'percent',
  swapUsedPercent: 'percent',
  diskUsedPercent: 'percent',
  temperatureCelsius: 'celsius',
  batteryPercent: 'percent',
  networkLatencyMs: 'milliseconds',
  networkLossPercent: 'percent',
  signalDbm: 'decibelMilliwatts',
  receivedKilobytesPerSecond: 'kilobytesPerSecond',
  sentKilobytesPerSecond: 'kilobytesPerSecond',
  processRestarts: 'count',
  clockOffsetMs: 'milliseconds',
};

const LIMIT = /^(\w+):(-?\d{1,13}(?:\.\d{1,6})?)$/;

/** A metric and a limit: `cpuUsedPercent:90`. */
function parseMetricLimit(
  text: string,
): { readonly metric: MetricName; readonly limit: number } | undefined {
  const [, name = '', digits = ''] = LIMIT.exec(text) ?? [];
  if (!Object.hasOwn(units, name)) return undefined;
  return { metric: name as MetricName, limit: Number(digits) };
}

export const isMetricLimit = (text: string): boolean => parseMetricLimit(text) !== undefined;

/** For example "CPU 90%". */
export function metricLimitWords(
  text: string,
  { t, number }: { readonly t: Translate; readonly number: (value: number) => string },
): string {
  const given = parseMetricLimit(text);
  if (given === undefined) return text;
  const { metric, limit } = given;
  const value = t(`devices.metricUnit.${units[metric]}`, { value: number(limit) });
  return `${t(`devices.metric.${metric}`)} ${value}`;
}

const USUAL_LIMIT = 90;

/** Every metric with the number in the text. */
export function suggestMetricLimits(text: string): readonly string[] {
  const [digits = String(USUAL_LIMIT)] = /-?\d+(\.\d+)?/.exec(text) ?? [];
  return Object.keys(units).map((metric) => `${metric}:${digits}`);
}
