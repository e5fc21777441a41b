import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import {
  locateCluster,
  startCluster,
  stopCluster,
  type Cluster,
} from '../../database/postgres-cluster.ts';
import { giveToAccount } from '../../database/postgres-account.ts';
import { urlOf } from '../../database/postgres-socket.ts';
import { isPostgresProcess, readPostmasterFile } from '../../database/postmaster-file.ts';
import { digesting } from '../../files/digesting.ts';
import { StartError } from '../../process/start-error.ts';
import { decryptWith } from '../backup-encryption.ts';
import type { BackupSignature } from '../load-backup.ts';
import { asDamaged, DamagedBackup } from '../refused-backup.ts';
import { unpackCluster } from './cluster-copy.ts';
import { feedRecovery, type RecoveryFeed } from './feed-recovery.ts';
import type { Restorable } from './find-restorable.ts';

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 100;

export interface RecoverOptions {
  /** A data folder without a cluster. */
  readonly dataDir: string;
  readonly identities: readonly string[];
  /** Undefined for the last change. */
  readonly to: Date | undefined;
}

/** A recovered cluster, which runs in a folder of its own. Disposing stops it. */
export interface RecoveredCluster extends AsyncDisposable {
  readonly clusterDir: string;
  readonly socketDir: string;
  /** Of all segments that were applied. */
  readonly signatures: readonly BackupSignature[];
}

/**
 * Unpacks a complete copy, starts it, and applies all changes up to a time.
 * @throws StartError if the copy is damaged, is of another major version, or the changes end before that time
 */
export async function recoverCluster(
  found: Restorable,
  options: RecoverOptions,
): Promise<RecoveredCluster> {
  const { dataDir, identities } = options;
  const located = await locateCluster({ dataDir, durable: true, archives: false });
  const cluster: Cluster = { ...located, clusterDir: join(dataDir, 'postgres.restoring') };
  await endEarlier(cluster.clusterDir);
  await rm(cluster.clusterDir, { recursive: true, force: true });
  await unpack(found, cluster, identities);
  await requireSameMajor(found, cluster);
  const folder = join(dataDir, 'postgres-recovery');
  await using feed = await feedRecovery(found.chain, {
    ...{ folder, identities },
    account: cluster.account,
  });
  const running = await startCluster(cluster, {
    settings: recoverySettings(feed, options.to),
    limitMs: DAY_MS,
  }).catch((error: unknown) => explain(error, { feed, dataDir }));
  const stop = (): Promise<void> => stopCluster(cluster.clusterDir, running.pid, running.socketDir);
  try {
    await untilRecovered(running.socketDir, running.pid);
  } catch (error) {
    await stop();
    return await explain(error, { feed, dataDir });
  }
  return {
    clusterDir: cluster.clusterDir,
    socketDir: running.socketDir,
    signatures: [...feed.signatures],
    [Symbol.asyncDispose]: stop,
  };
}

const recoverySettings = (
  { command }: RecoveryFeed,
  to: Date | undefined,
): Readonly<Record<string, string>> => ({
  restore_command: command,
  recovery_target_timeline: 'latest',
  ...(to === undefined
    ? {}
    : {
        // PostgreSQL does not accept `Z`.
        recovery_target_time: to.toISOString().replace('Z', '+00'),
        recovery_target_action: 'promote',
      }),
});

/** The database of a restore that was killed. */
async function endEarlier(clusterDir: string): Promise<void> {
  const left = await readPostmasterFile(clusterDir);
  if (left === undefined || !(await isPostgresProcess(left.pid))) return;
  await stopCluster(clusterDir, left.pid, left.socketDir);
}

async function unpack(
  { chain, id, manifest }: Restorable,
  { clusterDir, account }: Cluster,
  identities: readonly string[],
): Promise<void> {
  const { store, key, name } = chain.copies(`${id}.cluster`);
  await mkdir(clusterDir, { mode: 0o700 });
  const { measure, result } = digesting();
  try {
    const stored = await store.open(key);
    if (stored === undefined) throw new DamagedBackup('is missing');
    await pipeline(
      await decryptWith(identities, stored.content),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => unpackCluster(measure(source), clusterDir),
    ).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      throw new DamagedBackup('is truncated or damaged', { cause: error });
    });
    if (result().sha256 !== manifest.sha256) throw new DamagedBackup('was changed');
  } catch (error) {
    throw error instanceof DamagedBackup ? asDamaged(name, error) : error;
  }
  await writeFile(join(clusterDir, 'backup_label'), manifest.label, { mode: 0o600 });
  await writeFile(join(clusterDir, 'recovery.signal'), '', { mode: 0o600 });
  await giveToAccount(clusterDir, account);
}

async function requireSameMajor({ manifest }: Restorable, { clusterDir, binaries }: Cluster) {
  const major = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8');
  if (Number(major) === binaries.major) return;
  throw new StartError(
    `The backup is of PostgreSQL ${manifest.postgresMajor}, and this release contains ${binaries.major}. Restore it with the release that made it.`,
  );
}

async function untilRecovered(socketDir: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(socketDir, 'postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ recovering: boolean }>(
        'select pg_is_in_recovery() as recovering',
      );
      if (rows[0]?.recovering === false) return;
      if (!(await isPostgresProcess(pid))) throw new Error('PostgreSQL ended');
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** The cause of an interrupted recovery, for the operator. */
async function explain(
  error: unknown,
  { feed, dataDir }: { readonly feed: RecoveryFeed; readonly dataDir: string },
): Promise<never> {
  const failure = feed.failure();
  if (failure instanceof DamagedBackup) throw asDamaged('A part of the backup', failure);
  if (failure !== undefined) throw failure;
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(() => '');
  if (log.includes('recovery ended before configured recovery target was reached')) {
    throw new StartError(
      'The backup does not contain changes up to that time. Restore to an earlier time, or omit --to for the last change.',
    );
  }
  throw error;
}
