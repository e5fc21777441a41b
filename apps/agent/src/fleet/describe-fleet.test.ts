import { describe, expect, test } from 'vitest';
import { DEFAULT_SUPPORTED_COUNTRIES } from '@deviceportal/contract/constants';
import { serialNumberSchema } from '@deviceportal/contract/ids';
import { describeFleet } from './describe-fleet.ts';
import { isAwake } from './rhythm.ts';

describe('fleet description', () => {
  test('the same size and seed give the same fleet, another seed another one', () => {
    expect(describeFleet(50, 'a')).toEqual(describeFleet(50, 'a'));
    expect(describeFleet(50, 'a')).not.toEqual(describeFleet(50, 'b'));
  });

  test('200 devices: in all countries that are supported by default, unique serial numbers and names that begin with the type', () => {
    const { devices, owners } = describeFleet(200);
    expect([...new Set(devices.map((device) => device.country))].toSorted()).toEqual(
      DEFAULT_SUPPORTED_COUNTRIES,
    );
    expect(new Set(devices.map((device) => device.serialNumber)).size).toBe(200);
    for (const device of devices) {
      expect(serialNumberSchema.parse(device.serialNumber)).toBe(device.serialNumber);
      expect(device.name.startsWith(`${device.type}-`)).toBe(true);
      expect(owners[device.owner]?.country).toBe(device.country);
    }
    expect(new Set(devices.flatMap((device) => device.faults)).size).toBe(6);
    expect(new Set(devices.map((device) => device.rhythm)).size).toBe(5);
  });

  test('office hours are in local time', () => {
    const device = { rhythm: 'office' as const, serialNumber: 'TEST', timeZone: 'Asia/Tokyo' };
    expect(isAwake(device, Date.parse('2026-11-18T12:00:00+09:00'))).toBe(true);
    expect(isAwake(device, Date.parse('2026-11-18T12:00:00-05:00'))).toBe(false);
    expect(isAwake(device, Date.parse('2026-11-22T12:00:00+09:00'))).toBe(false);
  });
});
