import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WrittenHeartbeats } from './written-heartbeats.ts';

const REVISION = 'r1';
const START_MS = Date.parse('2026-01-01T00:00:00Z');

function heartbeatAt(deviceId: string, ms: number, over: Record<string, unknown> = {}) {
  const heartbeat = {
    instanceId: 'mi-1',
    at: '2026-01-01T00:00:00Z',
    everySeconds: 20,
    connectionRevision: REVISION,
    failing: [],
    diskUsedPercent: null,
    memoryUsedPercent: null,
    uptimeSeconds: 1,
    ...over,
  };
  return { deviceId, heartbeat, at: new Date(START_MS + ms) };
}

describe('the status of a device is written', () => {
  test('once per minute, however many gateways receive its heartbeats', () => {
    const gateways = [0, 1, 2].map(() => new WrittenHeartbeats(REVISION));
    const deviceId = randomUUID();
    for (const gateway of gateways) gateway.note([heartbeatAt(deviceId, 0)]);
    let written = 0;
    for (let ms = 0; ms < 600_000; ms += 20_000) {
      const gateway = gateways[(ms / 20_000) % 3];
      if (gateway?.mustWrite(heartbeatAt(deviceId, ms))) written += 1;
    }
    expect(written).toBe(10);
  });

  test('at different times for different devices', () => {
    const gateway = new WrittenHeartbeats(REVISION);
    const devices = Array.from({ length: 600 }, () => randomUUID());
    gateway.note(devices.map((deviceId) => heartbeatAt(deviceId, 0)));
    const written = devices.filter((deviceId) => gateway.mustWrite(heartbeatAt(deviceId, 5_000)));
    expect(written.length).toBeGreaterThan(100);
    expect(written.length).toBeLessThan(300);
  });

  test('for every heartbeat of an agent that sends one per minute', () => {
    const gateway = new WrittenHeartbeats(REVISION);
    for (const everySeconds of [60, undefined]) {
      const heartbeat = heartbeatAt(randomUUID(), 0, { everySeconds });
      gateway.note([heartbeat]);
      expect(gateway.mustWrite(heartbeat)).toBe(true);
    }
  });

  test.each([
    ['something fails', { failing: [{ part: 'disk', fact: '97 % used' }] }],
    ['another instance reports', { instanceId: 'mi-2' }],
    ['its interval changed', { everySeconds: 30 }],
    ['it has other connection settings', { connectionRevision: '' }],
  ])('immediately when %s', (_case, over) => {
    const gateway = new WrittenHeartbeats(REVISION);
    const deviceId = randomUUID();
    gateway.note([heartbeatAt(deviceId, 0)]);
    const quiet = [0, 20_000, 40_000].find((ms) => !gateway.mustWrite(heartbeatAt(deviceId, ms)));
    expect(gateway.mustWrite(heartbeatAt(deviceId, quiet ?? Number.NaN, over))).toBe(true);
  });

  test('with the next heartbeat after its status was changed elsewhere', () => {
    const gateway = new WrittenHeartbeats(REVISION);
    const deviceId = randomUUID();
    gateway.note([heartbeatAt(deviceId, 0)]);
    gateway.forget([deviceId]);
    const all = [0, 20_000, 40_000].map((ms) => gateway.mustWrite(heartbeatAt(deviceId, ms)));
    expect(all).toEqual([true, true, true]);
  });
});
