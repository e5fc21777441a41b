import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBackupStatus } from '../../src/backups/backup-status.ts';
import { createBackupRecorder } from '../../src/backups/record-backup.ts';
import { requestBackup } from '../../src/backups/request-backup.ts';
import {
  runCompleteBackups,
  type CompleteBackupsRun,
} from '../../src/backups/run-complete-backups.ts';
import { identityMigrations } from '../../src/compose/identity-migrations.ts';
import { openCompleteBackups } from '../../src/platform/backup/archive/archive-places.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import type { FilePlace } from '../../src/platform/files/file-place.ts';
import { directoryPlace } from '../../src/platform/files/open-file-place.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/gateway-fixture.ts';
import { limitedDisk } from '../support/limited-disk.ts';
import { filesIn } from '../platform/files/files-in.ts';

const DAY_MS = 86_400_000;
let folder: string;
let source: TestDatabase;
let now: Date;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-complete-'));
  source = await createTestDatabase();
  now = new Date('2030-01-02T03:04:05.000Z');
});

afterEach(async () => {
  await source[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const place = (): FilePlace =>
  directoryPlace(join(folder, 'backups'), 'DEVICEPORTAL_BACKUP_LOCATION');

async function prepare(recipient: string): Promise<CompleteBackupsRun> {
  const dataDir = join(folder, 'data');
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  const { database } = source;
  const clock = () => now;
  return {
    backup: {
      ...{ database, dataDir, clock, recipients: [recipient], files: filesIn(dataDir) },
      migrations: identityMigrations,
      auditKeys: secrets.signingKeys('audit'),
    },
    place: place(),
    recorder: createBackupRecorder({ database, place: 'test', clock }),
    everyMs: DAY_MS,
    keptDays: 2,
    onError: () => {},
  };
}

const keys = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of openCompleteBackups(place()).list('')) found.push(key);
  return found.toSorted();
};
const status = () => readBackupStatus(source.database.orm);

test('two servers make one backup a day, delete old ones, and a restore has all rows', async () => {
  const { text, recipient } = await makeIdentity(now);
  const run = await prepare(recipient);
  await source.database.pool.query(
    "insert into setting (key, value) values ('kept', to_jsonb('yes'::text))",
  );
  {
    await using _first = runCompleteBackups(run);
    await using _second = runCompleteBackups(run);
    for (const day of [2, 3, 4, 5]) {
      const key = `2030010${day}T030405Z.backup`;
      await until(async () => (await status())?.last?.id === key);
      now = new Date(now.getTime() + DAY_MS);
    }
  }
  expect(await keys()).toContain('20300105T030405Z.backup');
  expect(await keys()).not.toContain('20300102T030405Z.backup');
  const { rows } = await source.database.pool.query(
    "select data->>'backup' as backup from audit_event where type = 'installation.backed-up' order by 1",
  );
  expect(new Set(rows.map(({ backup }) => backup)).size).toBe(rows.length);

  await using target = await createTestDatabase({ empty: true });
  const path = openCompleteBackups(place()).pathOf?.('20300104T030405Z.backup') ?? '';
  await restoreBackup({
    ...{ database: target.database, dataDir: join(folder, 'restored'), file: path },
    access: { identities: [/AGE-SECRET-KEY\S+/.exec(text)?.[0] ?? ''] },
    migrations: identityMigrations,
    prove: async () => {},
    onRestored: async () => {},
  });
  const restored = await target.database.pool.query("select value from setting where key = 'kept'");
  expect(restored.rows).toEqual([{ value: 'yes' }]);
});

test('a failure is one audit event, and a part of a backup is none', async () => {
  const { recipient } = await makeIdentity(now);
  const run = await prepare(recipient);
  await writeFile(join(folder, 'backups'), 'no folder');
  {
    await using _runs = runCompleteBackups(run);
    await until(async () => (await status())?.faults.complete);
    now = new Date(now.getTime() + 61_000);
    const { recorder } = run;
    await recorder.failed('complete', new Error('again'));
    expect((await status())?.faults.complete).toMatchObject({ reason: 'again' });
    const { rowCount } = await source.database.pool.query(
      "select from audit_event where type = 'installation.backup-failed'",
    );
    expect(rowCount).toBe(1);
    expect((await readFile(join(folder, 'backups'))).toString()).toBe('no folder');
    await rm(join(folder, 'backups'));
    now = new Date(now.getTime() + 61_000);
    await until(async () => (await status())?.faults.complete === null);
  }
  expect(await keys()).toHaveLength(1);
});

test('a requested backup starts immediately, and only once with several servers', async () => {
  const { recipient } = await makeIdentity(now);
  const run = await prepare(recipient);
  await using _first = runCompleteBackups(run);
  await using _second = runCompleteBackups(run);
  await until(async () => (await status())?.last);
  now = new Date(now.getTime() + 5_000);
  const backups = {
    ...run,
    ...({ changesEveryMs: 0, place: 'test', database: 'external', since: now } as const),
  };
  const deps = { database: source.database, clock: () => now, backups };
  await requestBackup(deps, callerOf(administrator));
  await until(async () => (await status())?.last?.id === '20300102T030410Z.backup');
  now = new Date(now.getTime() + 5_000);
  expect(await keys()).toHaveLength(2);
  expect(await status()).toMatchObject({
    requestedAt: null,
    attempts: [{ isRequested: true }, {}],
  });
});

describe.skipIf(limitedDisk.isMissing)('on a full disk', () => {
  test('a backup fails with that reason, leaves no part, and is made when there is room', async () => {
    await using disk = await limitedDisk.mount(join(folder, 'backups'), '16m');
    const { recipient } = await makeIdentity(now);
    const run = await prepare(recipient);
    await disk.fill();
    await using _runs = runCompleteBackups(run);
    const fault = await until(async () => (await status())?.faults.complete);
    expect(fault.reason).toContain('ENOSPC');
    expect(await keys()).toEqual([]);
    expect(await disk.files()).toEqual([]);
    await disk.empty();
    now = new Date(now.getTime() + 61_000);
    await until(async () => (await status())?.last);
    expect(await keys()).toHaveLength(1);
    expect((await status())?.attempts).toMatchObject([{ reason: null }, { bytes: null }]);
  });
});
