import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../support/gateway-fixture.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { openScheduledBackups, type ScheduledBackups } from './scheduled-backups.ts';

let backups: ScheduledBackups;
beforeEach(async () => {
  backups = await openScheduledBackups();
});
afterEach(() => backups[Symbol.asyncDispose]());

const auditTypes = async (portal: PortalPrograms): Promise<string[]> =>
  (await portal.sql<{ type: string }>('select type from audit_event')).map(({ type }) => type);

test('a restore to a time has exactly the rows and files of that time, and its audit trail is valid', async () => {
  await using portal = await PortalPrograms.prepare();
  await portal.startServer(backups.settings);
  await backups.write(portal, 'row-1-before-the-copy');
  await until(async () => (await backups.statusOf(portal))?.last, 60_000);
  await backups.write(portal, 'row-2-after-the-copy');
  const file = join(portal.dataDir, 'software', 'ab', 'ab01');
  await mkdir(join(portal.dataDir, 'software', 'ab'), { recursive: true });
  await writeFile(file, 'a file that a row refers to');
  await backups.untilStored(portal);

  // A killed server neither loses nor repeats changes.
  portal.server.signal('SIGKILL');
  await portal.server.ended();
  await backups.write(portal, 'row-3-without-a-server');
  await portal.startServer(backups.settings);
  await backups.untilStored(portal);

  const [{ now: time = '' } = {}] = await portal.sql<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  await sleep(10);
  await backups.write(portal, 'row-4-after-that-time');
  await backups.untilStored(portal);

  const dataDir = join(backups.folder, 'restored');
  const restored = await backups.run('restore-command.ts', [
    ...['--to', time],
    ...(await backups.restoreArgs(portal, dataDir)),
  ]);
  expect(restored.output).toContain(`Restored the database to ${new Date(time).toISOString()}`);
  expect(restored.code).toBe(0);
  expect(await readdir(dataDir)).not.toContain('postgres.restoring');
  expect(await readdir(join(dataDir, 'software', 'ab'))).toEqual(['ab01']);

  const verified = await backups.run('verify-audit-command.ts', ['--data-dir', dataDir]);
  expect(verified.output).not.toContain('Fault');
  expect(verified.code).toBe(0);

  await using second = await PortalPrograms.prepareOn(dataDir);
  await second.startServer(backups.settings);
  expect(await backups.rowsOf(second)).toEqual([
    'row-1-before-the-copy',
    'row-2-after-the-copy',
    'row-3-without-a-server',
  ]);
  // The restored installation archives to a chain of its own.
  await until(async () => (await backups.statusOf(second))?.faults.complete === null, 60_000);
  await backups.untilStored(second);
}, 240_000);

test('a backup location that fails is shown, and changes of that time are stored later', async () => {
  await using portal = await PortalPrograms.prepare();
  await portal.startServer(backups.settings);
  await until(async () => (await backups.statusOf(portal))?.last, 60_000);
  await backups.untilStored(portal);
  await rename(backups.location, `${backups.location}-away`);
  await writeFile(backups.location, 'no folder');
  await backups.write(portal, 'row-1-while-it-failed');
  const failed = await until(async () => (await backups.statusOf(portal))?.faults.changes, 60_000);
  expect(failed.reason).toContain('ENOTDIR');
  await until(
    async () => (await auditTypes(portal)).includes('installation.backup-failed'),
    60_000,
  );
  await rm(backups.location);
  await rename(`${backups.location}-away`, backups.location);
  await backups.untilStored(portal);
  expect((await backups.statusOf(portal))?.faults.changes).toBe(null);

  const tried = await backups.run('restore-command.ts', [
    ...['--to', 'latest', '--trial'],
    ...(await backups.restoreArgs(portal, portal.dataDir)),
  ]);
  expect(tried.output).toContain('Tried a restore with all stored changes');
  expect(tried.code).toBe(0);
  expect(await readdir(portal.dataDir)).not.toContain('trial-restore');
  expect(await readdir(join(backups.location, 'trials'))).toHaveLength(1);

  const listed = await backups.run('admin-command.ts', ['backups', '--data-dir', portal.dataDir]);
  expect(listed.output).toMatch(/1 complete copy[\s\S]*Last trial restore: \d{4}/);
}, 240_000);
