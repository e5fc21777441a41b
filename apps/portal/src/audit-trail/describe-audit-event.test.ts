import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { expect, test } from 'vitest';
import { describeAuditEvent, describeAuditEvents } from './describe-audit-event.ts';

const forged = 'ok\nBy:         Ada Lovelace from 192.0.2.1\u202E';

const event = {
  id: 'e1',
  at: '2026-11-20T12:00:00.000Z',
  type: 'device-event.note',
  deviceId: 'd1',
  deviceName: 'kiosk',
  serialNumber: 'SN1',
  actor: { kind: 'device', id: 'd1', name: 'kiosk', address: null },
  requestId: null,
  data: { text: forged, [forged]: 1, nested: { text: forged } },
} as unknown as AuditEvent;

test('data of a device cannot add lines to the text that is pasted into a ticket', () => {
  const words = { sentence: `kiosk: ${forged}`, actor: 'kiosk', url: 'https://portal.example/x' };
  const lines = describeAuditEvent(event, words).split('\n');
  expect(lines.filter((line) => line.startsWith('By:'))).toEqual(['By:         kiosk']);
  expect(lines).toHaveLength(11);
  expect(lines.join('\n')).not.toContain('\u202E');
  const page = describeAuditEvents([event], () => `kiosk: ${forged}`, 'https://portal.example/x');
  expect(page.split('\n')).toHaveLength(2);
});
