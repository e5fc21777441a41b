import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  connectivityAfter,
  revertChanges,
  type DeviceEvent,
  type DeviceRecord,
} from './revert-changes.ts';

const now: DeviceRecord = {
  lifecycle: 'active',
  name: 'Kiosk 7',
  serialNumber: 'SN1',
  model: 'kiosk',
  hardwareRevision: 'B',
  ownerId: null,
  country: 'DE',
  timeZone: null,
  labels: { site: 'north' },
};
const event = (
  type: string,
  data: Record<string, unknown>,
  at = '2026-11-20T12:00:00Z',
): DeviceEvent => ({
  at,
  type,
  actor: { kind: 'user', id: 'u1', name: 'Ana' },
  data,
});

test('returns the current record without changes', () => {
  const then = revertChanges(now, []);
  expect(then.name).toEqual({ value: 'Kiosk 7', isKnown: true, change: null });
});

test('takes the value from the oldest change and the author from the newest', () => {
  const newest = event('device.updated', { before: { name: 'B' }, after: { name: 'Kiosk 7' } });
  const oldest = event('device.updated', { before: { name: 'A' }, after: { name: 'B' } });
  expect(revertChanges(now, [newest, oldest]).name).toEqual({
    value: 'A',
    isKnown: true,
    change: newest,
  });
});

test('marks a value as unknown if a change did not record the previous one', () => {
  const change = event('device.inventory-changed', { changed: { hardwareRevision: 'B' } });
  expect(revertChanges(now, [change]).hardwareRevision.isKnown).toBe(false);
  const telling = event('device.inventory-changed', {
    changed: { hardwareRevision: 'B' },
    before: { hardwareRevision: null },
  });
  expect(revertChanges(now, [telling]).hardwareRevision).toMatchObject({
    value: null,
    isKnown: true,
  });
});

test('reverts lifecycle and labels', () => {
  const changes = [
    event('device.labels-changed', { before: {}, after: { site: 'north' } }),
    event('device.resumed', { before: 'suspended', after: 'active' }),
    event('device.suspended', { before: 'active', after: 'suspended' }),
    event('device.enrolled', {}),
  ];
  expect(revertChanges(now, changes.slice(0, 2)).lifecycle.value).toBe('suspended');
  expect(revertChanges(now, changes).lifecycle.value).toBe('pending');
  expect(revertChanges(now, changes).labels.value).toEqual({});
});

test('reverting any sequence of changes restores the start', () => {
  const edits = fc.array(
    fc.tuple(fc.constantFrom('name' as const, 'country' as const), fc.string()),
  );
  fc.assert(
    fc.property(edits, (all) => {
      let record: DeviceRecord = now;
      const changes: DeviceEvent[] = [];
      for (const [field, value] of all) {
        const before = { [field]: record[field] };
        record = { ...record, [field]: value };
        changes.unshift(event('device.updated', { before, after: { [field]: value } }));
      }
      const then = revertChanges(record, changes);
      expect(then.name.value).toBe(now.name);
      expect(then.country.value).toBe(now.country);
    }),
  );
});

test('derives the connectivity from the last event of the connection', () => {
  expect(connectivityAfter(null)).toBe('never');
  expect(connectivityAfter(event('device.connected', { connectivity: 'degraded' }))).toBe(
    'degraded',
  );
  expect(connectivityAfter(event('device.recovered', {}))).toBe('online');
  expect(connectivityAfter(event('device.disconnected', { reason: 'timeout' }))).toBe('offline');
});
