import { createPublicKey, verify } from 'node:crypto';
import { readdir, readFile, rename, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { signedBytes } from '../../backup/backup-format.ts';
import { writeBackup } from '../../backup/write-backup.ts';
import { directoryPlace } from '../../files/open-file-place.ts';
import { openFiles } from '../../files/open-files.ts';
import { flushFolder } from '../../files/flush-folder.ts';
import { openInstallationSecrets, type VerifyingKey } from '../../installation-secrets.ts';
import { StartError } from '../../process/start-error.ts';
import { createFileSecrets } from '../../secrets/file-secret-engine.ts';
import { openDatabase, type Database } from '../database.ts';
import {
  claimOwnership,
  createDatabase,
  DATABASE_NAME,
  findRunning,
} from '../embedded-postgres.ts';
import type { MigrationStep } from '../migrate-database.ts';
import { findPostgresBinaries } from '../postgres-binaries.ts';
import {
  initialize,
  locateCluster,
  startCluster,
  stopCluster,
  syncCluster,
  type Cluster,
} from '../postgres-cluster.ts';
import { urlOf } from '../postgres-socket.ts';
import { isPostgresProcess, readPostmasterFile } from '../postmaster-file.ts';
import { findEarlierBinaries } from './earlier-binaries.ts';
import { removeDrafts, swapClusters } from './swap-clusters.ts';
import { upgradeFolders } from './upgrade-folders.ts';

export interface UpgradeDatabaseOptions {
  readonly dataDir: string;
  /** Folder of the programs of the earlier version. */
  readonly earlierPostgres: string | undefined;
  readonly migrations: readonly MigrationStep[];
  /** Progress lines for the operator. */
  readonly print: (line: string) => void;
}

/** Old and new cluster, and the rows on their way. */
const ROOM = 2;

/**
 * Upgrades an embedded database of an earlier major version of PostgreSQL: its rows are copied into a new cluster with the
 * schema of their release. The earlier cluster is not changed, and stays beside the new one. Interrupted at any point, it
 * starts again, or is complete.
 *
 * @throws StartError if the earlier version is missing, there is no room, or another server uses the database
 */
export async function upgradeDatabase(options: UpgradeDatabaseOptions): Promise<void> {
  const { dataDir, print } = options;
  const folders = upgradeFolders(dataDir);
  await swapClusters(dataDir, () => readMajor(folders.current));
  const major = await readMajor(folders.current);
  if (major === undefined) return;
  const binaries = await findPostgresBinaries(join(dataDir, 'postgres-libraries'));
  if (major === binaries.major) return;
  if (major > binaries.major) {
    throw new StartError(
      `The database in ${dataDir} is of PostgreSQL ${major}, and this release contains ${binaries.major}. Start the release that made it.`,
    );
  }
  const earlierBinaries = await findEarlierBinaries(options.earlierPostgres, major);
  await endDraft(folders.draft);
  await removeDrafts(dataDir);
  await requireRoom(dataDir, folders.current);
  print(`Upgrading the database from PostgreSQL ${major} to ${binaries.major} …`);
  const located = await locateCluster({ dataDir, durable: true, archives: false });
  const earlier: Cluster = { ...located, binaries: earlierBinaries };
  const upgraded: Cluster = { ...located, clusterDir: folders.draft };
  await copyRows({ earlier, upgraded }, options);
  await syncCluster(upgraded);
  await renameToNext(dataDir);
  await swapClusters(dataDir, () => readMajor(folders.current));
  await removeDrafts(dataDir);
  print(
    `Upgraded the database. The earlier one is in ${folders.before(major)}: delete it when everything works.`,
  );
}

async function readMajor(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/** The cluster of an upgrade that was killed. */
async function endDraft(draft: string): Promise<void> {
  const left = await readPostmasterFile(draft);
  if (left === undefined || !(await isPostgresProcess(left.pid))) return;
  await stopCluster(draft, left.pid, left.socketDir);
}

async function requireRoom(dataDir: string, clusterDir: string): Promise<void> {
  const needed = ROOM * (await sizeOf(clusterDir));
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= needed) return;
  const gigabytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);
  throw new StartError(
    `The upgrade of the database needs ${gigabytes(needed)} GiB in ${dataDir}, and ${gigabytes(bavail * bsize)} GiB are free.`,
  );
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

interface Clusters {
  readonly earlier: Cluster;
  readonly upgraded: Cluster;
}

async function copyRows(
  { earlier, upgraded }: Clusters,
  options: UpgradeDatabaseOptions,
): Promise<void> {
  const { dataDir } = options;
  await using resources = new AsyncDisposableStack();
  const from = (await findRunning(earlier.clusterDir)) ?? (await startCluster(earlier));
  resources.defer(() => stopCluster(earlier.clusterDir, from.pid, from.socketDir));
  const url = urlOf(from.socketDir, DATABASE_NAME);
  const owner = await claimOwnership(url, dataDir);
  resources.defer(() => owner.end());
  await initialize(upgraded);
  const earlierSocketDir = join(tmpdir(), `deviceportal-upgrade-${process.pid}`);
  const to = await startCluster(upgraded, { earlierSocketDir });
  resources.defer(() => stopCluster(upgraded.clusterDir, to.pid, to.socketDir));
  await createDatabase(to.socketDir);
  const source = resources.use(openAt(url));
  const target = resources.use(openAt(urlOf(to.socketDir, DATABASE_NAME)));
  await transfer({ source, target }, options);
}

/** By a backup without files, signed with a key that exists only here. */
async function transfer(
  { source, target }: { readonly source: Database; readonly target: Database },
  { dataDir, migrations, print }: UpgradeDatabaseOptions,
): Promise<void> {
  const { rows } = upgradeFolders(dataDir);
  const emptyDir = `${rows}.files`;
  const secrets = await openInstallationSecrets(createFileSecrets(emptyDir));
  const auditKeys = secrets.signingKeys('audit');
  const place = directoryPlace(emptyDir, 'DEVICEPORTAL_FILES');
  const tables = await writeBackup({
    ...{ database: source, file: rows, migrations, auditKeys, recipients: 'plaintext' },
    dataDir: emptyDir,
    files: openFiles({ files: place, reports: place }, { dataDir: emptyDir }),
    clock: () => new Date(),
  });
  print(`Read ${tables} tables. Writing and migrating them …`);
  await restoreBackup({
    ...{ database: target, dataDir: emptyDir, file: rows, migrations, access: 'plaintext' },
    prove: async ({ signatures: [signature] }) => {
      const key = auditKeys.known.find(({ keyId }) => keyId === signature?.keyId);
      const isComplete =
        signature !== undefined &&
        key !== undefined &&
        verify(null, signedBytes(signature.sha256), keyObjectOf(key), signature.signature);
      if (!isComplete) throw new StartError('The rows of the database changed on their way.');
    },
    onRestored: async () => {},
  });
}

const keyObjectOf = ({ publicKey }: VerifyingKey) =>
  createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });

const openAt = (connectionString: string): Database =>
  openDatabase({ access: { connection: { connectionString } }, onError: () => {} });

async function renameToNext(dataDir: string): Promise<void> {
  const { draft, next } = upgradeFolders(dataDir);
  await rename(draft, next);
  await flushFolder(dataDir);
}
