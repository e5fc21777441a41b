import { expect, it } from 'vitest';
import type { CaseEntry } from '@deviceportal/contract/cases';
import { entriesByDay } from './entries-by-day.ts';

const entry = (id: string, at: string) => ({ id, at }) as CaseEntry;

it('groups entries by day in the viewer’s time zone and keeps their order', () => {
  const entries = [
    entry('d', '2026-11-21T00:30:00Z'),
    entry('c', '2026-11-20T23:30:00Z'),
    entry('b', '2026-11-20T22:30:00Z'),
    entry('a', '2026-11-20T10:00:00Z'),
  ];
  const days = entriesByDay(entries, 'en', 'Europe/Berlin');
  expect(days.map(({ day, entries: of }) => [day, of.map(({ id }) => id)])).toEqual([
    ['Saturday, November 21, 2026 GMT+1', ['d', 'c']],
    ['Friday, November 20, 2026 GMT+1', ['b', 'a']],
  ]);
});
