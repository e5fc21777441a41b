import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BackupsDeps } from '../../src/backups/backups-deps.ts';
import { getBackups } from '../../src/backups/get-backups.ts';
import { createBackupRecorder, type BackupRecorder } from '../../src/backups/record-backup.ts';
import { requestBackup } from '../../src/backups/request-backup.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const HOUR_MS = 3_600_000;
const admin = callerOf(administrator);
const place = '/backups';
let db: TestDatabase;
let now: Date;
let recorder: BackupRecorder;
let deps: BackupsDeps;

beforeEach(async () => {
  db = await createTestDatabase();
  now = new Date('2030-01-01T00:00:00.000Z');
  const clock = () => now;
  const { database } = db;
  recorder = createBackupRecorder({ database, place, clock });
  const schedule = { everyMs: 24 * HOUR_MS, changesEveryMs: 60_000, keptDays: 14 };
  const backups = { ...schedule, place, database: 'embedded', since: now } as const;
  deps = { database, clock, backups };
});
afterEach(() => db[Symbol.asyncDispose]());

const pass = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};
const requests = async (): Promise<number | null> =>
  (
    await db.database.pool.query(
      "select from audit_event where type = 'installation.backup-requested'",
    )
  ).rowCount;

describe('the backups that administrators see', () => {
  test('are none without a schedule, and none can be started', async () => {
    expect(await getBackups({ ...deps, backups: undefined })).toBe(null);
    await expect(requestBackup({ ...deps, backups: undefined }, admin)).rejects.toMatchObject({
      code: 2003,
    });
  });

  test('have the age, size, and duration of the last one, the next one, and the restorable times', async () => {
    expect(await getBackups(deps)).toMatchObject({ last: null, nextAt: null, restorable: null });
    await recorder.started();
    pass(90_000);
    expect(await getBackups(deps)).toMatchObject({ runningSince: '2030-01-01T00:00:00.000Z' });
    await recorder.made('20300101T000000Z', 5_000_000);
    pass(60_000);
    await recorder.changesStored(now, new Date('2030-01-01T00:00:00Z'));
    await recorder.tried(new Date('2029-12-24T00:00:00Z'));
    expect(await getBackups(deps)).toMatchObject({
      problem: null,
      last: { at: '2030-01-01T00:01:30.000Z', bytes: 5_000_000, durationMs: 90_000 },
      nextAt: '2030-01-02T00:00:00.000Z',
      restorable: { from: '2030-01-01T00:00:00.000Z', until: '2030-01-01T00:02:30.000Z' },
      runningSince: null,
      triedAt: '2029-12-24T00:00:00.000Z',
      attempts: [{ bytes: 5_000_000, fault: null, count: 1, isRequested: false }],
    });
  });

  test.for([
    ["ENOSPC: no space left on device, write '/backups/x'", 'no-space'],
    ["EACCES: permission denied, open '/backups/x'", 'access-denied'],
    ["ENOTDIR: not a directory, mkdir '/backups/complete'", 'not-found'],
    ['AccessDenied: Access Denied', 'access-denied'],
    ['TimeoutError: connect ETIMEDOUT 192.0.2.1:443', 'unreachable'],
    ['something new', 'other'],
  ] as const)('name why one failed: %s', async ([text, reason]) => {
    await recorder.failed('complete', new Error(text));
    expect(await getBackups(deps)).toMatchObject({
      problem: { kind: 'failed', fault: { reason, text } },
      attempts: [{ bytes: null, fault: { reason } }],
    });
  });

  test('count repeated failures as one, and keep the newest 20 attempts', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await recorder.started();
      pass(60_000);
      await recorder.failed('complete', new Error('ENOSPC'));
    }
    expect((await getBackups(deps))?.attempts).toEqual([
      {
        ...{ startedAt: '2030-01-01T00:00:00.000Z', endedAt: '2030-01-01T00:03:00.000Z' },
        ...{ bytes: null, fault: { reason: 'no-space', text: 'ENOSPC' } },
        ...{ count: 3, isRequested: false },
      },
    ]);
    for (let attempt = 0; attempt < 30; attempt += 1) {
      await recorder.started();
      pass(1_000);
      await recorder.made(`backup-${attempt}`, attempt);
    }
    const attempts = (await getBackups(deps))?.attempts ?? [];
    expect(attempts).toHaveLength(20);
    expect(attempts[0]?.bytes).toBe(29);
  });

  test('name one that ended with its process, once', async () => {
    await recorder.interrupted();
    expect((await getBackups(deps))?.attempts).toEqual([]);
    await recorder.started();
    pass(5_000);
    await recorder.interrupted();
    await recorder.interrupted();
    expect(await getBackups(deps)).toMatchObject({
      runningSince: null,
      problem: null,
      attempts: [{ fault: { reason: 'interrupted' }, count: 1 }],
    });
  });
});

describe('a backup that an administrator starts', () => {
  test('is recorded once, however often it is requested, and is marked', async () => {
    await requestBackup(deps, admin);
    expect(await requests()).toBe(0);
    await recorder.made('first', 1);
    pass(HOUR_MS);
    await Promise.all([requestBackup(deps, admin), requestBackup(deps, admin)]);
    expect(await requests()).toBe(1);
    expect(await recorder.requestedAt()).toEqual(now);
    await recorder.started();
    await requestBackup(deps, admin);
    pass(1_000);
    await recorder.made('second', 2);
    expect(await requests()).toBe(1);
    expect(await getBackups(deps)).toMatchObject({
      requestedAt: null,
      attempts: [
        { bytes: 2, isRequested: true },
        { bytes: 1, isRequested: false },
      ],
    });
  });

  test('stays requested while it fails', async () => {
    await recorder.made('first', 1);
    pass(HOUR_MS);
    await requestBackup(deps, admin);
    await recorder.started();
    await recorder.failed('complete', new Error('ENOSPC'));
    expect(await recorder.requestedAt()).toEqual(now);
  });

  test('is not requested for a place that is no longer configured', async () => {
    await recorder.made('first', 1);
    const { backups } = deps;
    if (backups === undefined) throw new Error('not scheduled');
    await requestBackup({ ...deps, backups: { ...backups, place: '/elsewhere' } }, admin);
    expect(await requests()).toBe(0);
  });
});
