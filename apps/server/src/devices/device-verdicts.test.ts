import { expect, test } from 'vitest';
import type { DeviceInstance, DeviceRow } from '@deviceportal/contract/devices';
import { deviceVerdicts, type VerdictFacts } from './device-verdicts.ts';

const row: DeviceRow = {
  id: 'd',
  serialNumber: 'DP00001',
  name: 'one',
  model: null,
  hardwareRevision: null,
  owner: null,
  country: null,
  labels: {},
  lifecycle: 'active',
  engine: 'agent',
  connectivity: 'online',
  connectivitySince: '2026-11-20T10:00:00.000Z',
  lastSeenAt: '2026-11-20T11:59:00.000Z',
  disconnectReason: null,
  failing: [],
  instanceId: 'mi-1',
  agentVersion: '1.0.0',
  platform: 'Linux',
  ipAddress: null,
  softwareVersion: null,
  tavState: null,
  findings: [],
  createdAt: '2026-01-01T00:00:00.000Z',
};
const instance: DeviceInstance = {
  id: 'mi-1',
  state: 'current',
  platformType: 'Linux',
  platformName: 'Ubuntu',
  platformVersion: '24.04',
  architecture: 'x64',
  agentVersion: '1.0.0',
  checksSignatures: true,
  hostName: 'host',
  ipAddress: null,
  enrolledAt: '2026-10-01T00:00:00.000Z',
  lastPingAt: null,
  certificateFingerprint: 'f',
  certificateEndsAt: '2027-01-01T00:00:00.000Z',
};
const failed = {
  id: 'i',
  command: 'logs/tail',
  state: 'Failed',
  statusDetails: 'Failed',
  responseCode: 1,
  endedAt: '2026-11-20T11:00:00.000Z',
};
const healthy: VerdictFacts = {
  row,
  instances: [instance],
  lastInvocation: null,
  now: new Date('2026-11-20T12:00:00Z'),
};
const codes = (facts: Partial<VerdictFacts>) =>
  deviceVerdicts({ ...healthy, ...facts }).map((verdict) => verdict.code);

test('a device without problems is healthy, without other verdicts', () => {
  expect(codes({})).toEqual(['healthy']);
});

test('all problems are listed, most severe first', () => {
  const offline = { ...row, connectivity: 'offline' as const, disconnectReason: 'connection-lost' };
  const ending = { ...instance, certificateEndsAt: '2026-11-25T00:00:00.000Z' };
  expect(codes({ row: offline, instances: [ending], lastInvocation: failed })).toEqual([
    'offline',
    'last-command-failed',
    'certificate-ending',
  ]);
});

test('offline has a reason, a time, and a suggested command', () => {
  const offline = { ...row, connectivity: 'offline' as const, disconnectReason: 'connection-lost' };
  expect(deviceVerdicts({ ...healthy, row: offline })[0]).toEqual({
    code: 'offline',
    severity: 'error',
    facts: {
      reason: 'connection-lost',
      since: '2026-11-20T10:00:00.000Z',
      lastSeenAt: '2026-11-20T11:59:00.000Z',
      offlineSeconds: 7_200,
    },
    suggestedCommand: 'network/diagnose',
  });
});

test('each failing check of a degraded device has its suggested command', () => {
  const failing = [
    { part: 'disk', fact: '97 % used' },
    { part: 'memory', fact: '95 % used' },
  ];
  const found = deviceVerdicts({ ...healthy, row: { ...row, connectivity: 'degraded', failing } });
  expect(found.map(({ facts, suggestedCommand }) => [facts['part'], suggestedCommand])).toEqual([
    ['disk', 'storage/usage'],
    ['memory', 'process/top'],
  ]);
});

test('retired replaces all other verdicts; a missing instance comes before offline', () => {
  expect(codes({ row: { ...row, lifecycle: 'retired', connectivity: 'offline' } })).toEqual([
    'retired',
  ]);
  expect(codes({ row: { ...row, connectivity: 'never' }, instances: [] })).toEqual(['no-instance']);
});
