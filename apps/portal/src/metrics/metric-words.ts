import type { MetricName, MetricUnit } from '@deviceportal/contract/device-metrics';
import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import type { Formatters } from '../i18n/format-values.ts';
import type { Translate } from '../i18n/use-t.ts';

export const metricWords = (metric: MetricName, t: Translate): string =>
  t(`devices.metric.${metric}`);

/** A value with its unit. */
export function metricValue(
  metric: MetricName,
  value: number,
  { t, format }: { readonly t: Translate; readonly format: Formatters },
): string {
  const { unit, decimals } = metricDefinitions[metric];
  const rounded = Number(value.toFixed(decimals));
  return t(`devices.metricUnit.${unit satisfies MetricUnit}`, { value: format.number(rounded) });
}
