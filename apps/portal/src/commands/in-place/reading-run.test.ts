import { expect, test } from 'vitest';
import type { CommandForm } from '@deviceportal/contract/commands';
import { readingRun } from './reading-run.ts';

const form: CommandForm = {
  command: 'logs/tail',
  name: 'logs',
  sub: 'tail',
  documentName: 'DevicePortal-logs-tail',
  documentVersion: 3,
  documentSha256: '',
  documentState: 'active',
  consequence: 'reads',
  needsSerialNumber: false,
  group: 'diagnose',
  description: '',
  platforms: [],
  favorite: false,
  allowed: true,
  missingPermission: null,
  parameters: {
    lines: { type: 'Integer', default: 100 },
    service: { type: 'String', default: '' },
  },
  secretParameters: [],
  typicalDurationMs: null,
  siblings: [],
  phases: { preCheck: 0, verify: 0, undo: 0 },
  approverRoles: [],
  lastValues: null,
};
const remedy = { command: 'logs/tail', deviceId: 'd1' };

test('a remedy that reads runs in the version that was checked, with its values and defaults', () => {
  expect(readingRun(form, { ...remedy, parameters: { service: 'agent' } })).toMatchObject({
    command: 'logs/tail',
    document: 'DevicePortal-logs-tail:3',
    target: { kind: 'devices', deviceIds: ['d1'] },
    parameters: { lines: 100, service: 'agent' },
  });
});

test.each([
  ['changes the device', { consequence: 'changes' as const }],
  ['is not allowed', { allowed: false }],
  ['is deprecated', { documentState: 'deprecated' as const }],
  ['has a parameter without a value', { parameters: { path: { type: 'String' as const } } }],
])('a remedy that %s needs its form', (_why, different) => {
  expect(readingRun({ ...form, ...different }, remedy)).toBeNull();
});
