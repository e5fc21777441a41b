import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { identityMigrations } from '../../src/compose/identity-migrations.ts';
import { inTransaction, openDatabase } from '../../src/platform/database/database.ts';
import { createDatabase, DATABASE_NAME } from '../../src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../../src/platform/database/migrate-database.ts';
import {
  initialize,
  locateCluster,
  startCluster,
  stopCluster,
  type Cluster,
} from '../../src/platform/database/postgres-cluster.ts';
import { urlOf } from '../../src/platform/database/postgres-socket.ts';
import { findEarlierBinaries } from '../../src/platform/database/upgrade/earlier-binaries.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';

/** The PostgreSQL of the operating system, here in the place of the one of an earlier release. */
const MAJOR = 15;
const programs = `/usr/lib/postgresql/${MAJOR}/bin`;
const isSkipped = !existsSync(join(programs, 'postgres'));
if (isSkipped) process.stdout.write(`not tested: upgrades, because ${programs} is missing\n`);
const LIMIT_MS = 240_000;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dp-upgrade-'));
  await chmod(dataDir, 0o755);
  if (!isSkipped) await makeEarlier();
});

afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** A data folder with a cluster that an earlier PostgreSQL made, with rows and audit events. */
async function makeEarlier(): Promise<void> {
  const located = await locateCluster({ dataDir, durable: false, archives: false });
  const binaries = await findEarlierBinaries(programs, MAJOR);
  const cluster: Cluster = { ...located, binaries };
  await initialize(cluster, [
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
  ]);
  const running = await startCluster(cluster);
  try {
    await createDatabase(running.socketDir);
    await using database = openDatabase({
      access: { connection: { connectionString: urlOf(running.socketDir, DATABASE_NAME) } },
      onError: () => {},
    });
    await migrateDatabase(database, identityMigrations);
    await database.pool.query(
      `insert into setting (key, value)
       select 'row-' || i, to_jsonb(repeat('x', 200) || i) from generate_series(1, 20000) i`,
    );
    await inTransaction(database, (tx) =>
      recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
    );
  } finally {
    await stopCluster(cluster.clusterDir, running.pid, running.socketDir);
  }
}

const settings = { DEVICEPORTAL_EARLIER_POSTGRES: programs };
const majorOf = (folder: string): Promise<string> =>
  readFile(join(dataDir, folder, 'PG_VERSION'), 'utf8');

async function expectUpgraded(portal: PortalPrograms): Promise<void> {
  expect(await majorOf('postgres')).toBe('18\n');
  expect(await majorOf(`postgres-${MAJOR}`)).toBe(`${MAJOR}\n`);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres-upgrade'))).toEqual(
    [],
  );
  const [rows] = await portal.sql<{ count: string; last: string }>(
    "select count(*), max(value #>> '{}') as last from setting where key like 'row-%'",
  );
  expect(rows).toEqual({ count: '20000', last: `${'x'.repeat(200)}9999` });
  const events = await portal.sql("select from audit_event where type = 'device.created'");
  expect(events).toHaveLength(1);
}

test.skipIf(isSkipped)(
  'the database of an earlier major version is upgraded at a start, and stays beside the new one',
  async () => {
    await using portal = await PortalPrograms.prepareOn(dataDir);
    await expect(portal.startServer()).rejects.toThrow(
      /is of PostgreSQL 15\. To upgrade it, .*DEVICEPORTAL_EARLIER_POSTGRES/,
    );
    expect(await majorOf('postgres')).toBe(`${MAJOR}\n`);
    await portal.startServer(settings);
    await expectUpgraded(portal);
    await portal.server.end('SIGTERM');
    await portal.startServer();
    await expectUpgraded(portal);
  },
  LIMIT_MS,
);

test.skipIf(isSkipped)(
  'an upgrade that is killed again and again is complete in the end',
  async () => {
    await using portal = await PortalPrograms.prepareOn(dataDir);
    for (const afterMs of [700, 1_500, 2_500, 3_500, 5_000]) {
      const started = portal.startServer(settings).then(
        () => true,
        () => false,
      );
      await Promise.race([started, sleep(afterMs)]);
      await portal.server.end('SIGKILL');
      await started;
    }
    await portal.startServer(settings);
    await expectUpgraded(portal);
  },
  LIMIT_MS,
);
