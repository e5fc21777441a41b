import type { MetricName } from '@deviceportal/contract/device-metrics';
import { choiceField, searchSchema, textField } from '../../ui/search-schema.ts';

const usual: MetricName = 'cpuUsedPercent';

export const fleetMetricsSearch = searchSchema({
  /** Name of a metric. */
  metric: textField(64),
  by: choiceField('model', 'version', 'country'),
});
export const fleetMetricsDefaults = { metric: usual, by: 'model' } as const;
