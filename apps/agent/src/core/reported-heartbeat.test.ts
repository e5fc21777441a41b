import { expect, test } from 'vitest';
import type { HeartbeatMessage } from '@deviceportal/device-protocol/messages';
import { ReportedHeartbeat } from './reported-heartbeat.ts';

const QUARTER_HOUR = 900;
const heartbeat = (...failing: HeartbeatMessage['failing']): HeartbeatMessage => ({
  instanceId: 'i-1',
  at: '2026-01-01T00:00:00.000Z',
  failing,
  connectionRevision: 'first',
  diskUsedPercent: 50,
  memoryUsedPercent: 50,
  uptimeSeconds: 1,
});

test('a result is reported at first, when it is due, and after a new connection', () => {
  const reported = new ReportedHeartbeat();
  expect(reported.mustSend(heartbeat(), QUARTER_HOUR, 0)).toBe(true);
  reported.note(heartbeat(), 0);
  expect(reported.mustSend(heartbeat(), QUARTER_HOUR, 840_000)).toBe(false);
  expect(reported.mustSend(heartbeat(), QUARTER_HOUR, 899_990)).toBe(true);
  reported.forget();
  expect(reported.mustSend(heartbeat(), QUARTER_HOUR, 1)).toBe(true);
});

test('a part that fails, recovers, or is joined by another is news, and its figures are not', () => {
  const reported = new ReportedHeartbeat();
  const disk = { part: 'disk', fact: '97 % used' } as const;
  reported.note(heartbeat(disk), 0);
  const isNews = (message: HeartbeatMessage): boolean =>
    reported.mustSend(message, QUARTER_HOUR, 1_000);
  expect(isNews(heartbeat({ ...disk, fact: '98 % used' }))).toBe(false);
  expect(isNews({ ...heartbeat(disk), diskUsedPercent: 98 })).toBe(false);
  expect(isNews(heartbeat())).toBe(true);
  expect(isNews(heartbeat(disk, { part: 'clock', fact: '2 min behind' }))).toBe(true);
});

test('other connection settings are confirmed immediately', () => {
  const reported = new ReportedHeartbeat();
  reported.note(heartbeat(), 0);
  const changed = { ...heartbeat(), connectionRevision: 'second' };
  expect(reported.mustSend(changed, QUARTER_HOUR, 1_000)).toBe(true);
});
