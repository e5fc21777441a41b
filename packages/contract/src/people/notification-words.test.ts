import { expect, it } from 'vitest';
import { notificationPath, notificationWords } from './notification-words.ts';
import { notificationKinds } from './notifications.ts';

const facts = {
  runId: 'r1',
  command: 'restart/agent',
  statusDetails: 'Success',
  target: 3,
  success: 2,
  failed: 1,
  device: 'SN1',
  devices: 3,
  reason: 'too-many-errors',
  document: 'Notes',
  version: 2,
  decision: 'approved',
  schedule: 'nightly',
  name: 'a change',
};

it.each(notificationKinds)('%s has a text in each language, and a page', (kind) => {
  const english = notificationWords(kind, facts, 'en');
  const chinese = notificationWords(kind, facts, 'zh-CN');
  for (const { title, body } of [english, chinese]) {
    expect(title.trim()).not.toBe('');
    expect(`${title}${body}`).not.toMatch(/undefined|NaN|null/);
  }
  expect(chinese).not.toEqual(english);
  expect(notificationPath(kind, facts)).toMatch(/^\/[a-z]/);
});

it('links a command on one device to that device’s result', () => {
  const one = { ...facts, invocationId: 'i1', deviceId: 'd1' };
  expect(notificationPath('run-ended', one)).toBe(
    '/commands/restart/agent?device=d1&invocation=i1',
  );
  expect(notificationPath('run-ended', facts)).toBe('/commands/restart/agent?run=r1');
});
