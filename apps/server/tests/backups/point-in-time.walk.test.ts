import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rawPublicKey } from '../../src/audit-trail/audit-signer.ts';
import type { BackupStatus } from '../../src/backups/backup-status.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { until } from '../support/gateway-fixture.ts';
import { PortalPrograms } from '../support/portal-programs.ts';
import { programEnv } from '../support/program-env.ts';

const cli = join(import.meta.dirname, '../../src/cli');
let folder: string;
let location: string;
let settings: Record<string, string>;
let identity: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-pitr-'));
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

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

async function run(program: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(cli, program), ...args], {
    env: { ...programEnv, ...settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}

const statusOf = async (portal: PortalPrograms): Promise<BackupStatus | undefined> =>
  (
    await portal.sql<{ value: BackupStatus }>(
      "select value from setting where key = 'scheduled-backups'",
    )
  )[0]?.value;

const write = (portal: PortalPrograms, key: string) =>
  portal.sql('insert into setting (key, value) values ($1, to_jsonb(1))', [key]);

const written = async (portal: PortalPrograms): Promise<string[]> =>
  (
    await portal.sql<{ key: string }>("select key from setting where key like 'row-%' order by key")
  ).map(({ key }) => key);

async function pinnedKey(portal: PortalPrograms): Promise<string> {
  const secrets = await openInstallationSecrets(createFileSecrets(portal.dataDir));
  const { publicKey } = secrets.signingKeys('audit').current;
  return Buffer.from(rawPublicKey(publicKey)).toString('base64url');
}

const auditTypes = async (portal: PortalPrograms): Promise<string[]> =>
  (await portal.sql<{ type: string }>('select type from audit_event')).map(({ type }) => type);

/** Until all changes that are committed by now are in the backup location. */
async function untilStored(portal: PortalPrograms): Promise<void> {
  const now = new Date().toISOString();
  await until(async () => ((await statusOf(portal))?.changesUntil ?? '') > now, 60_000);
}

async function restoreOptions(portal: PortalPrograms, dataDir: string): Promise<string[]> {
  return [
    ...['--identity', identity, '--audit-key', await pinnedKey(portal)],
    ...['--no-erasures', '--data-dir', dataDir],
  ];
}

test('a restore to a time has exactly the rows and files of that time, and its audit trail is valid', async () => {
  await using portal = await PortalPrograms.prepare();
  await portal.startServer(settings);
  await write(portal, 'row-1-before-the-copy');
  await until(async () => (await statusOf(portal))?.last, 60_000);
  await write(portal, 'row-2-after-the-copy');
  const file = join(portal.dataDir, 'software', 'ab', 'ab01');
  await mkdir(join(portal.dataDir, 'software', 'ab'), { recursive: true });
  await writeFile(file, 'a file that a row refers to');
  await untilStored(portal);

  // A killed server neither loses nor repeats changes.
  portal.server.signal('SIGKILL');
  await portal.server.ended();
  await write(portal, 'row-3-without-a-server');
  await portal.startServer(settings);
  await untilStored(portal);

  const [{ now: time = '' } = {}] = await portal.sql<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  await sleep(10);
  await write(portal, 'row-4-after-that-time');
  await untilStored(portal);

  const dataDir = join(folder, 'restored');
  const restored = await run('restore-command.ts', [
    ...['--to', time],
    ...(await restoreOptions(portal, dataDir)),
  ]);
  expect(restored.output).toContain(`Restored the database to ${new Date(time).toISOString()}`);
  expect(restored.code).toBe(0);
  expect(await readdir(dataDir)).not.toContain('postgres.restoring');
  expect(await readdir(join(dataDir, 'software', 'ab'))).toEqual(['ab01']);

  const verified = await run('verify-audit-command.ts', ['--data-dir', dataDir]);
  expect(verified.output).not.toContain('Fault');
  expect(verified.code).toBe(0);

  await using second = await PortalPrograms.prepareOn(dataDir);
  await second.startServer(settings);
  expect(await written(second)).toEqual([
    'row-1-before-the-copy',
    'row-2-after-the-copy',
    'row-3-without-a-server',
  ]);
  // The restored installation archives to a chain of its own.
  await until(async () => (await statusOf(second))?.faults.complete === null, 60_000);
  await untilStored(second);
}, 240_000);

test('a backup location that fails is shown, and changes of that time are stored later', async () => {
  await using portal = await PortalPrograms.prepare();
  await portal.startServer(settings);
  await until(async () => (await statusOf(portal))?.last, 60_000);
  await untilStored(portal);
  await rename(location, `${location}-away`);
  await writeFile(location, 'no folder');
  await write(portal, 'row-1-while-it-failed');
  const failed = await until(async () => (await statusOf(portal))?.faults.changes, 60_000);
  expect(failed.reason).toContain('ENOTDIR');
  await until(
    async () => (await auditTypes(portal)).includes('installation.backup-failed'),
    60_000,
  );
  await rm(location);
  await rename(`${location}-away`, location);
  await untilStored(portal);
  expect((await statusOf(portal))?.faults.changes).toBe(null);

  const tried = await run('restore-command.ts', [
    ...['--to', 'latest', '--trial'],
    ...(await restoreOptions(portal, portal.dataDir)),
  ]);
  expect(tried.output).toContain('Tried a restore with all stored changes');
  expect(tried.code).toBe(0);
  expect(await readdir(portal.dataDir)).not.toContain('trial-restore');
  expect(await readdir(join(location, 'trials'))).toHaveLength(1);

  const listed = await run('admin-command.ts', ['backups', '--data-dir', portal.dataDir]);
  expect(listed.output).toMatch(/1 complete copy[\s\S]*Last trial restore: \d{4}/);
}, 240_000);
