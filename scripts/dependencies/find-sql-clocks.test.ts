import { expect, test } from 'vitest';
import { findSqlClocks } from './find-sql-clocks.ts';

const check = (text: string, path = 'apps/server/src/devices/device-store.ts'): string[] =>
  findSqlClocks([{ path, text }]);

test.each([
  'set at = now()',
  'at > clock_timestamp() - ${age}',
  'AT <= CURRENT_TIMESTAMP',
  "since = 'now'::timestamptz",
  'day = current_date',
])('%s: refused', (text) => {
  expect(check(`select;\n${text}`)).toEqual([expect.stringMatching(/device-store\.ts:2 has /)]);
});

test.each([
  'portal_now()',
  'portal_now(clock_timestamp())',
  'portal_now(statement_timestamp())',
  'Date.now()',
  'this.#now()',
  'clock.now()',
])('%s: allowed', (text) => {
  expect(check(`at < ${text}`)).toEqual([]);
});

test('a new migration is read, and what was applied before is left', () => {
  expect(check('default now()', 'apps/server/migrations/0044_next.sql')).toHaveLength(1);
  expect(check('default now()', 'apps/server/migrations/0001_initial.sql')).toEqual([]);
});
