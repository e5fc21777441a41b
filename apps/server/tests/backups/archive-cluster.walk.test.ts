import { chmod, copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArchiveContext } from '../../src/platform/backup/archive/archive-context.ts';
import { openChain } from '../../src/platform/backup/archive/archive-places.ts';
import { beginChain, resumeChain } from '../../src/platform/backup/archive/begin-chain.ts';
import { copyWholeCluster } from '../../src/platform/backup/archive/copy-whole-cluster.ts';
import { findRestorable } from '../../src/platform/backup/archive/find-restorable.ts';
import { recoverCluster } from '../../src/platform/backup/archive/recover-cluster.ts';
import { shipChanges } from '../../src/platform/backup/archive/ship-changes.ts';
import { spoolDirOf } from '../../src/platform/backup/archive/wal-spool.ts';
import { makeIdentity } from '../../src/platform/backup/backup-encryption.ts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { urlOf } from '../../src/platform/database/postgres-socket.ts';
import { directoryPlace } from '../../src/platform/files/open-file-place.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';

const LIMIT_MS = 120_000;
let folder: string;
let resources: AsyncDisposableStack;
let context: ArchiveContext & { readonly database: Database };
let identities: readonly string[];

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = await mkdtemp(join(tmpdir(), 'dp-cluster-'));
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const server = resources.use(
    await startEmbeddedPostgres({ dataDir, archives: true, durable: false }),
  );
  const database = resources.use(openAt(server.url));
  const { text, recipient } = await makeIdentity(new Date());
  identities = [/AGE-SECRET-KEY\S+/.exec(text)?.[0] ?? ''];
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  context = {
    ...{ database, dataDir, recipients: [recipient], files: undefined, keptDays: 1 },
    place: directoryPlace(join(folder, 'backups'), 'DEVICEPORTAL_BACKUP_LOCATION'),
    auditKeys: secrets.signingKeys('audit'),
    clock: () => new Date(),
  };
  await database.pool.query('create table kept (name text)');
}, LIMIT_MS);

afterEach(() => resources.disposeAsync(), LIMIT_MS);

const openAt = (connectionString: string): Database =>
  openDatabase({ access: { connection: { connectionString } }, onError: () => {} });

const write = (name: string) =>
  context.database.pool.query('insert into kept (name) values ($1)', [name]);

const databaseTime = async (): Promise<Date> =>
  (await context.database.pool.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]
    ?.now ?? new Date(0);

/** The rows of a cluster that was recovered to a time. */
async function recovered(to: Date | undefined): Promise<string[]> {
  const dataDir = join(folder, 'recovered');
  await rm(dataDir, { recursive: true, force: true });
  const found = await findRestorable(context.place, identities, to);
  await using cluster = await recoverCluster(found, { dataDir, identities, to });
  const client = new pg.Client({ connectionString: urlOf(cluster.socketDir, 'deviceportal') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('select name from kept order by name');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

test(
  'a recovered cluster has exactly the rows of the time, also between two complete copies',
  async () => {
    const chain = await beginChain(context);
    const places = openChain(context.place, chain.state.id);
    await write('1-before-the-copy');
    await copyWholeCluster(context, places);
    await write('2-after-the-copy');
    await shipChanges(context, chain);
    const between = await databaseTime();
    await write('3-later');
    await copyWholeCluster(context, places);
    await shipChanges(context, chain);
    expect(await recovered(between)).toEqual(['1-before-the-copy', '2-after-the-copy']);
    await expect(recovered(new Date(Date.now() + 60_000))).rejects.toThrow(
      'does not contain changes up to that time',
    );
    await expect(recovered(new Date(0))).rejects.toThrow('does not contain a backup of that time');
    expect(await recovered(undefined)).toEqual([
      ...['1-before-the-copy', '2-after-the-copy', '3-later'],
    ]);
    const log = join(folder, 'backups', chain.state.id, 'log');
    const segments = (await readdir(log)).toSorted();
    await copyFile(join(log, segments.at(0) ?? ''), join(log, segments.at(-1) ?? ''));
    await expect(recovered(undefined)).rejects.toThrow(/is another object\. Nothing was restored/);
  },
  LIMIT_MS,
);

test(
  'a transfer without changes stores nothing, a resumed chain continues, and a gap ends it',
  async () => {
    const chain = await beginChain(context);
    await write('1');
    await shipChanges(context, chain);
    const { lastSegment } = chain.state;
    await shipChanges(context, chain);
    expect(chain.state.lastSegment).toBe(lastSegment);
    const resumed = await resumeChain(context);
    expect(resumed?.state).toEqual(chain.state);
    await write('2');
    await writeFile(join(spoolDirOf(context.dataDir), 'gap'), '');
    await expect(shipChanges(context, chain)).rejects.toThrow('too many were waiting');
    const next = await beginChain(context);
    expect(next.state.id).not.toBe(chain.state.id);
    await write('3');
    await shipChanges(context, next);
  },
  LIMIT_MS,
);
