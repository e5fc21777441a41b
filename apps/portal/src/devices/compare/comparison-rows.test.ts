import { describe, expect, test } from 'vitest';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { comparisonRows } from './comparison-rows.ts';

const device = (facts: Partial<DeviceDetail>): DeviceDetail =>
  ({ name: 'a', labels: {}, verdicts: [], software: [], owner: null, ...facts }) as DeviceDetail;

const component = (name: string, version: string) => ({
  component: name,
  version,
  since: '2026-11-20T00:00:00.000Z',
  reportedAt: '2026-11-20T00:00:00.000Z',
  tavState: null,
  findings: [],
});

const rowOf = (devices: readonly DeviceDetail[], id: string) =>
  comparisonRows(devices).find((row) => row.id === id);

describe('comparison of devices', () => {
  test('only attributes that differ are marked', () => {
    const pair = [
      device({ model: 'K310', country: 'DE' }),
      device({ model: 'K200', country: 'DE' }),
    ];
    expect(rowOf(pair, 'model')).toMatchObject({ values: ['K310', 'K200'], differs: true });
    expect(rowOf(pair, 'country')).toMatchObject({ differs: false });
  });

  test('a component that one device lacks is a difference', () => {
    const pair = [device({ software: [component('os', '6.1')] }), device({})];
    expect(rowOf(pair, 'component:os')).toMatchObject({ values: ['6.1', null], differs: true });
  });

  test('attributes that always differ are not a difference', () => {
    const pair = [
      device({ name: 'one', uptimeSeconds: 1 }),
      device({ name: 'two', uptimeSeconds: 2 }),
    ];
    expect(rowOf(pair, 'name')?.differs).toBe(false);
    expect(rowOf(pair, 'uptime')?.differs).toBe(false);
  });

  test('the order of labels is not a difference', () => {
    const pair = [device({ labels: { a: '1', b: '' } }), device({ labels: { b: '', a: '1' } })];
    expect(rowOf(pair, 'labels')).toMatchObject({ values: ['a: 1, b', 'a: 1, b'], differs: false });
  });
});
