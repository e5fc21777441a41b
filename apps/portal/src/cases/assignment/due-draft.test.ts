import { expect, it } from 'vitest';
import { dueAtOf, dueDraftOf } from './due-draft.ts';

it('an entered due time is the same time when it is edited again', () => {
  const dueAt = dueAtOf({ date: '2026-12-01', time: '09:30' });
  expect(dueDraftOf(dueAt ?? null)).toEqual({ date: '2026-12-01', time: '09:30' });
});

it('a day without a time is due at the end of the working day', () => {
  const dueAt = dueAtOf({ date: '2026-12-01', time: '' });
  expect(dueDraftOf(dueAt ?? null)).toEqual({ date: '2026-12-01', time: '17:00' });
});

it('an empty draft is no due time, and an incomplete one cannot be sent', () => {
  expect(dueAtOf({ date: '', time: '' })).toBeNull();
  expect(dueAtOf({ date: '2026-1', time: '' })).toBeUndefined();
  expect(dueAtOf({ date: '2026-12-01', time: '9' })).toBeUndefined();
  expect(dueAtOf({ date: '', time: '09:30' })).toBeUndefined();
});
