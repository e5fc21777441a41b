import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rawPublicKey } from '../../src/audit-trail/audit-signer.ts';
import type { BackupStatus } from '../../src/backups/backup-status.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { until } from '../support/gateway-fixture.ts';
import { limitedDisk } from '../support/limited-disk.ts';
import { PortalPrograms } from '../support/portal-programs.ts';
import { programEnv } from '../support/program-env.ts';

const LIMIT_MS = 480_000;
const restoreCommand = join(import.meta.dirname, '../../src/cli/restore-command.ts');
let folder: string;
let location: string;
let identity: string;
let settings: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-interrupted-'));
  await chmod(folder, 0o755);
  location = join(folder, 'backups');
  identity = join(folder, 'identity.txt');
  const { text, recipient } = await makeIdentity(new Date());
  await writeFile(identity, text);
  settings = {
    DEVICEPORTAL_BACKUP_LOCATION: location,
    DEVICEPORTAL_BACKUP_RECIPIENT: recipient,
    DEVICEPORTAL_BACKUP_CHANGES_SECONDS: '1',
  };
});
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

async function statusOf(portal: PortalPrograms): Promise<BackupStatus | undefined> {
  const [found] = await portal.sql<{ value: BackupStatus }>(
    "select value from setting where key = 'scheduled-backups'",
  );
  return found?.value;
}

/** As an administrator does in the portal. */
const request = (portal: PortalPrograms) =>
  portal.sql(
    `update setting set value = value || jsonb_build_object('requestedAt', $1::text)
     where key = 'scheduled-backups'`,
    [new Date().toISOString()],
  );

const write = (portal: PortalPrograms, key: string) =>
  portal.sql('insert into setting (key, value) values ($1, to_jsonb(1))', [key]);

async function untilStored(portal: PortalPrograms): Promise<void> {
  const now = new Date().toISOString();
  await until(async () => ((await statusOf(portal))?.changesUntil ?? '') > now, 60_000);
}

/** The process that makes the backups of this data folder. */
async function backupProcess(portal: PortalPrograms): Promise<number | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('backup-process.ts') && line.includes(portal.dataDir)) return Number(pid);
  }
  return undefined;
}

async function rowsAfterRestore(portal: PortalPrograms): Promise<readonly string[]> {
  const secrets = await openInstallationSecrets(createFileSecrets(portal.dataDir));
  const { publicKey } = secrets.signingKeys('audit').current;
  const dataDir = join(folder, 'restored');
  const child = spawn(
    process.execPath,
    [
      ...[restoreCommand, '--to', 'latest', '--identity', identity],
      ...['--audit-key', Buffer.from(rawPublicKey(publicKey)).toString('base64url')],
      ...['--no-erasures', '--data-dir', dataDir],
    ],
    { env: { ...programEnv, ...settings }, stdio: 'ignore' },
  );
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  await using restored = await PortalPrograms.prepareOn(dataDir);
  await restored.startServer();
  const rows = await restored.sql<{ key: string }>(
    "select key from setting where key like 'row-%' order by key",
  );
  return rows.map(({ key }) => key);
}

test(
  'a copy whose process is killed is shown as interrupted, repeated, and no restore uses its parts',
  async () => {
    await using portal = await PortalPrograms.prepare();
    await portal.startServer(settings);
    await write(portal, 'row-1');
    const first = await until(async () => (await statusOf(portal))?.last, 60_000);
    await sleep(1_000);
    await request(portal);
    await until(async () => {
      const isRunning = (await statusOf(portal))?.runningSince != null;
      const pid = isRunning ? await backupProcess(portal) : undefined;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      return pid !== undefined;
    }, 60_000);
    await write(portal, 'row-2');
    await until(async () => {
      const { attempts, last } = (await statusOf(portal)) ?? {};
      return attempts?.[0]?.reason === null && last?.id !== first.id;
    }, 60_000);
    const { attempts, requestedAt, runningSince } = (await statusOf(portal)) ?? {};
    expect(attempts).toMatchObject([
      { reason: null, isRequested: true },
      { reason: 'interrupted', isRequested: true },
      { reason: null, isRequested: false },
    ]);
    expect([requestedAt, runningSince]).toEqual([null, null]);
    const [chain = ''] = await readdir(join(location, 'chains'));
    const copies = (await readdir(join(location, chain, 'copies'))).toSorted();
    expect(copies.filter((name) => name.endsWith('.cluster'))).toHaveLength(2);
    expect(copies.filter((name) => name.endsWith('.manifest'))).toHaveLength(2);
    await untilStored(portal);
    expect(await rowsAfterRestore(portal)).toEqual(['row-1', 'row-2']);
  },
  LIMIT_MS,
);

describe.skipIf(limitedDisk.isMissing)('on a full backup disk', () => {
  test(
    'the portal continues, backups fail with that reason, and all changes are stored when there is room',
    async () => {
      await using disk = await limitedDisk.mount(location, '256m');
      await using portal = await PortalPrograms.prepare();
      await portal.startServer(settings);
      const first = await until(async () => (await statusOf(portal))?.last, 60_000);
      await untilStored(portal);
      await disk.fill();
      await write(portal, 'row-1-on-a-full-disk');
      await request(portal);
      await until(async () => {
        const { complete, changes } = (await statusOf(portal))?.faults ?? {};
        return complete?.reason.includes('ENOSPC') && changes?.reason.includes('ENOSPC');
      }, 60_000);
      expect((await statusOf(portal))?.last).toEqual(first);
      expect((await fetch(`${portal.url}/readyz`)).status).toBe(200);
      await disk.empty();
      await untilStored(portal);
      await request(portal);
      await until(async () => (await statusOf(portal))?.faults.complete === null, 120_000);
      await write(portal, 'row-2-with-room');
      await untilStored(portal);
      expect(await rowsAfterRestore(portal)).toEqual(['row-1-on-a-full-disk', 'row-2-with-room']);
    },
    LIMIT_MS,
  );
});
