import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { countTypes, groupEvents } from './group-events.ts';

let count = 0;
const event = (type: string, deviceId: string | null = 'd1', actorId = 'd1'): AuditEvent => {
  count += 1;
  return {
    id: `event-${count}`,
    at: '2026-11-20T12:00:00.000Z',
    type,
    deviceId,
    deviceName: null,
    serialNumber: null,
    command: null,
    actor: { kind: 'device', id: actorId, name: 'd', address: null },
    requestId: null,
    data: {},
  };
};
const flapping = (times: number, deviceId = 'd1'): AuditEvent[] =>
  Array.from({ length: times }, (_, at) =>
    event(at % 2 === 0 ? 'device.connected' : 'device.disconnected', deviceId, deviceId),
  );

describe('groups of repeated events', () => {
  test('repeated connection events form one row that contains all of them', () => {
    const events = [event('device.updated'), ...flapping(5), event('device.updated')];
    const rows = groupEvents(events);
    expect(rows.map(({ type, group }) => group?.length ?? type)).toEqual([
      'device.updated',
      5,
      'device.updated',
    ]);
    expect(rows.flatMap((row) => row.group ?? [row])).toEqual(events);
    expect(countTypes(rows[1]?.group ?? [])).toEqual([
      ['device.connected', 3],
      ['device.disconnected', 2],
    ]);
  });

  test('events of different devices or users, and pairs, are not grouped', () => {
    const events = [...flapping(2), ...flapping(2, 'd2'), event('access.signed-in', null, 'u1')];
    expect(groupEvents(events)).toEqual(events);
  });

  test('changes, rejections, and failures are never grouped', () => {
    const events = ['device.updated', 'access.wrong-code', 'command.finished', 'device.refused']
      .flatMap((type) => [type, type, type, type])
      .map((type) => event(type));
    expect(groupEvents(events)).toEqual(events);
  });
});
