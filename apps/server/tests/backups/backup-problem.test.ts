import { expect, test } from 'vitest';
import { findBackupProblem } from '../../src/backups/backup-problem.ts';
import { firstBackupStatus, type BackupStatus } from '../../src/backups/backup-status.ts';

const schedule = { everyMs: 24 * 3_600_000, changesEveryMs: 60_000 };
const since = new Date('2030-01-01T00:00:00Z');
const good: BackupStatus = {
  ...firstBackupStatus('/backups', '2030-01-01T00:00:00.000Z'),
  last: { id: '20300101T000100Z', at: '2030-01-01T00:01:00.000Z', bytes: 1 },
  changesUntil: '2030-01-01T00:02:00.000Z',
};
const at = (now: string, status: BackupStatus | undefined) =>
  findBackupProblem({ status, since, now: new Date(now) }, schedule)?.line;

test('a backup and changes that are on time are no problem', () => {
  expect(at('2030-01-01T00:10:00Z', good)).toBe(undefined);
});

test('a first backup has an hour', () => {
  expect(at('2030-01-01T00:59:00Z', undefined)).toBe(undefined);
  expect(at('2030-01-01T01:01:00Z', undefined)).toBe('there is no backup');
});

test('a backup is overdue an hour after the next one was due', () => {
  const external = { ...good, changesUntil: null };
  expect(at('2030-01-02T01:00:00Z', external)).toBe(undefined);
  expect(at('2030-01-02T01:02:00Z', external)).toBe(
    'the last backup is of 2030-01-01T00:01:00.000Z',
  );
});

test('a failed backup is a problem at once, with its reason', () => {
  const complete = { since: '2030-01-01T00:05:00.000Z', reason: 'ENOSPC' };
  const failed = { ...good, faults: { ...good.faults, complete } };
  expect(at('2030-01-01T00:06:00Z', failed)).toBe('backup failed: ENOSPC');
});

test('changes are late after a quarter of an hour, but not while a server has just started', () => {
  const changes = { since: '2030-01-01T00:05:00.000Z', reason: 'ETIMEDOUT' };
  const late = { ...good, faults: { ...good.faults, changes } };
  expect(at('2030-01-01T00:17:00Z', late)).toBe(undefined);
  expect(at('2030-01-01T00:18:30Z', late)).toBe(
    'changes after 2030-01-01T00:02:00.000Z are not in the backup: ETIMEDOUT',
  );
  const earlier = { ...good, changesUntil: '2029-12-31T00:00:00.000Z' };
  expect(at('2030-01-01T00:10:00Z', earlier)).toBe(undefined);
});
