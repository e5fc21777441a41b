import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/gateway-fixture.ts';
import { limitedDisk } from '../support/limited-disk.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { openScheduledBackups, type ScheduledBackups } from './scheduled-backups.ts';

const LIMIT_MS = 480_000;
let backups: ScheduledBackups;
beforeEach(async () => {
  backups = await openScheduledBackups();
});
afterEach(() => backups[Symbol.asyncDispose]());

/** As an administrator does in the portal. */
const request = (portal: PortalPrograms) =>
  portal.sql(
    `update setting set value = value || jsonb_build_object('requestedAt', $1::text)
     where key = 'scheduled-backups'`,
    [new Date().toISOString()],
  );

/** The process that makes the backups of this data folder. */
async function backupProcess(portal: PortalPrograms): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('backup-process.ts') && line.includes(portal.dataDir)) return Number(pid);
  }
  return undefined;
}

async function rowsAfterRestore(portal: PortalPrograms): Promise<readonly string[]> {
  const dataDir = join(backups.folder, 'restored');
  const restored = await backups.run('restore-command.ts', [
    ...['--to', 'latest'],
    ...(await backups.restoreArgs(portal, dataDir)),
  ]);
  expect(restored.code, restored.output).toBe(0);
  await using server = await PortalPrograms.prepareOn(dataDir);
  await server.startServer();
  return backups.rowsOf(server);
}

test(
  'a copy whose process is killed is shown as interrupted, repeated, and no restore uses its parts',
  async () => {
    await using portal = await PortalPrograms.prepare();
    await portal.startServer(backups.settings);
    await backups.write(portal, 'row-1');
    const first = await until(async () => (await backups.statusOf(portal))?.last, 60_000);
    await sleep(1_000);
    await request(portal);
    await until(async () => {
      const isRunning = (await backups.statusOf(portal))?.runningSince != null;
      const pid = isRunning ? await backupProcess(portal) : undefined;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      return pid !== undefined;
    }, 60_000);
    await backups.write(portal, 'row-2');
    await until(async () => {
      const { attempts, last } = (await backups.statusOf(portal)) ?? {};
      return attempts?.[0]?.reason === null && last?.id !== first.id;
    }, 60_000);
    const { attempts, requestedAt, runningSince } = (await backups.statusOf(portal)) ?? {};
    expect(attempts).toMatchObject([
      { reason: null, isRequested: true },
      { reason: 'interrupted', isRequested: true },
      { reason: null, isRequested: false },
    ]);
    expect([requestedAt, runningSince]).toEqual([null, null]);
    const [chain = ''] = await readdir(join(backups.location, 'chains'));
    const copies = (await readdir(join(backups.location, chain, 'copies'))).toSorted();
    expect(copies.filter((name) => name.endsWith('.cluster'))).toHaveLength(2);
    expect(copies.filter((name) => name.endsWith('.manifest'))).toHaveLength(2);
    await backups.untilStored(portal);
    expect(await rowsAfterRestore(portal)).toEqual(['row-1', 'row-2']);
  },
  LIMIT_MS,
);

describe.skipIf(limitedDisk.isMissing)('on a full backup disk', () => {
  test(
    'the portal continues, backups fail with that reason, and all changes are stored when there is room',
    async () => {
      await using disk = await limitedDisk.mount(backups.location, '256m');
      await using portal = await PortalPrograms.prepare();
      await portal.startServer(backups.settings);
      const first = await until(async () => (await backups.statusOf(portal))?.last, 60_000);
      await backups.untilStored(portal);
      await disk.fill();
      await backups.write(portal, 'row-1-on-a-full-disk');
      await request(portal);
      await until(async () => {
        const { complete, changes } = (await backups.statusOf(portal))?.faults ?? {};
        return complete?.reason.includes('ENOSPC') && changes?.reason.includes('ENOSPC');
      }, 60_000);
      expect((await backups.statusOf(portal))?.last).toEqual(first);
      expect((await fetch(`${portal.url}/readyz`)).status).toBe(200);
      await disk.empty();
      await backups.untilStored(portal);
      await request(portal);
      await until(async () => (await backups.statusOf(portal))?.faults.complete === null, 120_000);
      await backups.write(portal, 'row-2-with-room');
      await backups.untilStored(portal);
      expect(await rowsAfterRestore(portal)).toEqual(['row-1-on-a-full-disk', 'row-2-with-room']);
    },
    LIMIT_MS,
  );
});
