import { expect, it } from 'vitest';
import { RecentChanges } from './recent-changes.ts';

it('[recent-changes-1] remembers for five seconds what was told of which thing', () => {
  const recent = new RecentChanges();
  recent.hear({ kind: 'audit-trail', deviceIds: ['a', 'b'] }, 1_000);
  recent.hear({ kind: 'case', caseIds: ['c'] }, 3_000);
  expect(recent.has('audit-trail', 'b', 6_000)).toBe(true);
  expect(recent.has('audit-trail', 'b', 6_001)).toBe(false);
  expect(recent.has('case', 'c', 6_001)).toBe(true);
  expect(recent.has('device-changed', 'a', 1_000)).toBe(false);
});

it('[recent-changes-2] what happens again is remembered from then on, and a storm is not remembered whole', () => {
  const recent = new RecentChanges();
  recent.hear({ kind: 'device-changed', deviceIds: ['a'] }, 0);
  recent.hear({ kind: 'device-changed', deviceIds: ['a'] }, 4_000);
  expect(recent.has('device-changed', 'a', 9_000)).toBe(true);
  const deviceIds = Array.from({ length: 30_000 }, (_, index) => `d${index}`);
  recent.hear({ kind: 'device-changed', deviceIds }, 9_000);
  expect(recent.has('device-changed', 'd9999', 9_000)).toBe(false);
  expect(recent.has('device-changed', 'd29999', 9_000)).toBe(true);
});
