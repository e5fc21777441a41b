import { expect, test } from 'vitest';
import { decodeDeviceFilter } from '../devices/list/filter/device-filter.ts';
import { emptyRule, evaluatedPart } from './rule-draft.ts';
import { startOfRule } from './start-of-rule.ts';
import { devicesHref } from './alert-words.ts';

const country = { key: 'country', operator: '=', values: ['DE'] } as const;
const cpu = { key: 'metric', operator: '>=', values: ['cpuUsedPercent:75'] } as const;

test('a list filtered by a metric becomes a condition among the other devices of the list', () => {
  const start = startOfRule({ tokens: [country, cpu], operation: 'and' }, '');
  expect(evaluatedPart({ ...emptyRule, ...start })).toMatchObject({
    filter: { tokens: [country] },
    condition: { kind: 'metric', metric: 'cpuUsedPercent', comparison: 'atLeast', value: 75 },
  });
});

test.each([
  ['alternatives', { tokens: [country, cpu], operation: 'or' }],
  [
    'several limits',
    { tokens: [{ ...cpu, values: ['loadAverage:1', 'cpuUsedPercent:75'] }], operation: 'and' },
  ],
] as const)('%s in a filter stay in the filter', (_, query) => {
  expect(startOfRule(query, '')).toEqual({ kind: 'offline', query });
});

test('a rule about a metric starts with its usual limit, and an unknown metric is ignored', () => {
  const none = { tokens: [], operation: 'and' } as const;
  expect(startOfRule(none, 'batteryPercent')).toMatchObject({
    ...{ kind: 'metric', metric: 'batteryPercent', comparison: 'atMost', metricValue: '10' },
  });
  expect(startOfRule(none, 'constructor')).toMatchObject({ kind: 'offline' });
});

test.each([
  ['a value that the metric cannot have', '101'],
  ['no value', ''],
])('%s cannot be saved', (_, metricValue) => {
  expect(evaluatedPart({ ...emptyRule, kind: 'metric', metricValue })).toBeNull();
});

test('a negative value is possible where the metric is', () => {
  const rule = evaluatedPart({
    ...{
      ...emptyRule,
      kind: 'metric',
      metric: 'signalDbm',
      comparison: 'atMost',
      metricValue: '-95',
    },
  });
  expect(rule?.condition).toMatchObject({ value: -95 });
});

test('an alert leads to the devices that it counted', () => {
  const filter = { text: '', tokens: [country], operation: 'and', targetListId: null } as const;
  const condition = {
    kind: 'metric',
    metric: 'cpuUsedPercent',
    comparison: 'atLeast',
    value: 90,
  } as const;
  const href = new URL(
    devicesHref({ ...filter, tokens: [{ ...country, values: ['DE'] }] }, condition),
    'https://x',
  );
  const { q = '', op = 'and' } = Object.fromEntries(href.searchParams);
  const listed = decodeDeviceFilter({ q, op: op === 'or' ? 'or' : 'and', targets: '' });
  expect(listed.filter.tokens).toEqual([
    country,
    { key: 'newestMetric', operator: '>=', values: ['cpuUsedPercent:90'] },
  ]);
});
