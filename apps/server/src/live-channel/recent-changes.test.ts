import { expect, it } from 'vitest';
import { RecentChanges } from './recent-changes.ts';

it('returns the changes of the last five seconds by subject', () => {
  const recent = new RecentChanges();
  recent.record({ kind: 'audit-trail', deviceIds: ['a', 'b'] }, 1_000);
  recent.record({ kind: 'case', caseIds: ['c'] }, 3_000);
  expect(recent.has('audit-trail', 'b', 6_000)).toBe(true);
  expect(recent.has('audit-trail', 'b', 6_001)).toBe(false);
  expect(recent.has('case', 'c', 6_001)).toBe(true);
  expect(recent.has('device-changed', 'a', 1_000)).toBe(false);
});

it('keeps a repeated change from its last occurrence on, and limits the number of changes', () => {
  const recent = new RecentChanges();
  recent.record({ kind: 'device-changed', deviceIds: ['a'] }, 0);
  recent.record({ kind: 'device-changed', deviceIds: ['a'] }, 4_000);
  expect(recent.has('device-changed', 'a', 9_000)).toBe(true);
  const deviceIds = Array.from({ length: 30_000 }, (_, index) => `d${index}`);
  recent.record({ kind: 'device-changed', deviceIds }, 9_000);
  expect(recent.has('device-changed', 'd9999', 9_000)).toBe(false);
  expect(recent.has('device-changed', 'd29999', 9_000)).toBe(true);
});
