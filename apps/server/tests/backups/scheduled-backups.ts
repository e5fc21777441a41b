import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawPublicKey } from '../../src/audit-trail/audit-signer.ts';
import type { BackupStatus } from '../../src/backups/backup-status.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { until } from '../support/gateway-fixture.ts';
import type { PortalPrograms } from '../support/programs/portal-programs.ts';
import { programEnv } from '../support/programs/program-env.ts';

const cli = join(import.meta.dirname, '../../src/cli');

export interface EndedProgram {
  readonly code: number | null;
  readonly output: string;
}

/** A place for the scheduled backups of real servers, and what is read and restored from it. */
export interface ScheduledBackups extends AsyncDisposable {
  readonly folder: string;
  readonly location: string;
  /** Of a server that backs up there each second. */
  readonly settings: Readonly<Record<string, string>>;
  statusOf(portal: PortalPrograms): Promise<BackupStatus | undefined>;
  /** Adds a row that `rowsOf` returns. */
  write(portal: PortalPrograms, key: `row-${string}`): Promise<unknown>;
  rowsOf(portal: PortalPrograms): Promise<readonly string[]>;
  /** Until all changes that are committed by now are in the location. */
  untilStored(portal: PortalPrograms): Promise<void>;
  /** An operator’s command. */
  run(program: string, args: readonly string[]): Promise<EndedProgram>;
  /** Arguments of a restore of this installation to a data folder. */
  restoreArgs(portal: PortalPrograms, dataDir: string): Promise<string[]>;
}

export async function openScheduledBackups(): Promise<ScheduledBackups> {
  const folder = await mkdtemp(join(tmpdir(), 'dp-backups-'));
  await chmod(folder, 0o755);
  const location = join(folder, 'backups');
  const identity = join(folder, 'identity.txt');
  const { text, recipient } = await makeIdentity(new Date());
  await writeFile(identity, text);
  const settings = {
    DEVICEPORTAL_BACKUP_LOCATION: location,
    DEVICEPORTAL_BACKUP_RECIPIENT: recipient,
    DEVICEPORTAL_BACKUP_CHANGES_SECONDS: '1',
  };
  return {
    ...{ folder, location, settings, statusOf },
    write: (portal, key) =>
      portal.sql('insert into setting (key, value) values ($1, to_jsonb(1))', [key]),
    async rowsOf(portal) {
      const rows = await portal.sql<{ key: string }>(
        "select key from setting where key like 'row-%' order by key",
      );
      return rows.map(({ key }) => key);
    },
    async untilStored(portal) {
      const now = new Date().toISOString();
      await until(async () => ((await statusOf(portal))?.changesUntil ?? '') > now, 60_000);
    },
    run: (program, args) => run(join(cli, program), args, settings),
    restoreArgs: async (portal, dataDir) => [
      ...['--identity', identity, '--audit-key', await auditKeyOf(portal)],
      ...['--no-erasures', '--data-dir', dataDir],
    ],
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function statusOf(portal: PortalPrograms): Promise<BackupStatus | undefined> {
  const [found] = await portal.sql<{ value: BackupStatus }>(
    "select value from setting where key = 'scheduled-backups'",
  );
  return found?.value;
}

async function auditKeyOf({ dataDir }: PortalPrograms): Promise<string> {
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  const { publicKey } = secrets.signingKeys('audit').current;
  return Buffer.from(rawPublicKey(publicKey)).toString('base64url');
}

async function run(
  program: string,
  args: readonly string[],
  settings: ScheduledBackups['settings'],
): Promise<EndedProgram> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...programEnv, ...settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  await once(child, 'close');
  return { code: child.exitCode, output };
}
