import { metricNames } from '@deviceportal/contract/device-metrics';
import { metricValueText, metricWords } from '@deviceportal/contract/metric-words';
import { expect, test } from 'vitest';
import english from '../devices/messages/en.json' with { type: 'json' };
import chinese from '../devices/messages/zh-CN.json' with { type: 'json' };

test.each(metricNames)('notices name %s as the screens do', (metric) => {
  expect(metricWords[metric]).toEqual({
    en: english[`devices.metric.${metric}`],
    'zh-CN': chinese[`devices.metric.${metric}`],
  });
});

test.each([
  ['diskUsedPercent', 90, '90%'],
  ['temperatureCelsius', 61.25, '61.3 °C'],
  ['receivedKilobytesPerSecond', 12_500, '12,500 kB/s'],
  ['loadAverage', 1.5, '1.5'],
] as const)('%s of %s is %s in notices', (metric, value, text) => {
  expect(metricValueText(metric, value, 'en')).toBe(text);
});
