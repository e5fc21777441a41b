import { describe, expect, it } from 'vitest';
import type { DeviceRow } from '@deviceportal/contract/devices';
import {
  patchDevicePage,
  patchDeviceStatus,
  sameApartFromStatus,
  type DeviceStatusChange,
} from './patch-device-rows.ts';

const row = (id: string, part: Partial<DeviceRow> = {}): DeviceRow => ({
  id,
  serialNumber: `SN${id}`,
  name: id,
  model: null,
  hardwareRevision: null,
  owner: null,
  country: null,
  labels: {},
  lifecycle: 'active',
  engine: 'agent',
  connectivity: 'online',
  connectivitySince: '2026-11-20T10:00:00.000Z',
  lastSeenAt: '2026-11-20T12:00:00.000Z',
  disconnectReason: null,
  failing: [],
  instanceId: null,
  agentVersion: null,
  platform: null,
  ipAddress: null,
  softwareVersion: null,
  tavState: null,
  findings: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  ...part,
});

const offline = (id: string, lastSeenAt: string): DeviceStatusChange => ({
  kind: 'device-status',
  id,
  connectivity: 'offline',
  connectivitySince: lastSeenAt,
  lastSeenAt,
  disconnectReason: 'connection-lost',
  failing: [],
});

describe('live changes of a list', () => {
  it('a change is applied to its row, which keeps its position', () => {
    const page = { rows: [row('a'), row('b'), row('c')], nextCursor: 'x' };
    const change = offline('b', '2026-11-20T12:30:00.000Z');
    const next = patchDevicePage(page, 'b', (device) => patchDeviceStatus(device, change));
    expect(next.rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(next.rows[1]?.connectivity).toBe('offline');
    expect(next.rows[0]).toBe(page.rows[0]);
    expect(next.nextCursor).toBe('x');
  });

  it('a change of a device that is not shown changes nothing', () => {
    const page = { rows: [row('a')] };
    expect(patchDevicePage(page, 'z', (device) => ({ ...device }))).toBe(page);
  });

  it('a change that is older than the shown row is ignored', () => {
    const device = row('a');
    expect(patchDeviceStatus(device, offline('a', '2026-11-20T11:59:59.000Z'))).toBe(device);
  });

  it('a changed status keeps the array, a changed name does not', () => {
    const rows = [row('a'), row('b')];
    expect(sameApartFromStatus(rows, [row('a', { connectivity: 'offline' }), row('b')])).toBe(true);
    expect(sameApartFromStatus(rows, [row('a', { name: 'new' }), row('b')])).toBe(false);
    expect(sameApartFromStatus(rows, rows.toReversed())).toBe(false);
  });
});
