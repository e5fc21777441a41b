import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordAudit, systemActor } from '../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../src/audit-trail/sealing/seal-audit-trail.ts';
import { verifyAuditTrail } from '../src/audit-trail/verification/verify-audit-trail.ts';
import { identityMigrations } from '../src/compose/identity-migrations.ts';
import { makeIdentity } from '../src/platform/backup/backup-encryption.ts';
import { listTables } from '../src/platform/backup/list-tables.ts';
import type { BackupAccess } from '../src/platform/backup/open-backup.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { filesIn } from './platform/files/files-in.ts';
import { writeBackup, type WriteBackupOptions } from '../src/platform/backup/write-backup.ts';
import { inTransaction, type Database } from '../src/platform/database/database.ts';
import { migrateDatabase } from '../src/platform/database/migrate-database.ts';
import { openInstallationSecrets } from '../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../src/platform/secrets/file-secret-engine.ts';
import { onlyHot, sealing } from './support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from './support/database/create-test-database.ts';
import { openInstallationIdentity } from './support/installation-identity.ts';

const hostileText = 'tab\tline\nreturn\rback\\slash \\. \u2028 设备 "quoted" \\N';
let folder: string;
let file: string;
let source: TestDatabase;
let target: TestDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-backup-'));
  file = join(folder, 'backup.gz');
  source = await createTestDatabase();
  target = await createTestDatabase({ empty: true });
  await source.database.pool.query('insert into setting (key, value) values ($1, $2), ($3, $4)', [
    'public-url',
    '"http://localhost:8080"',
    'hostile',
    JSON.stringify(hostileText),
  ]);
});

afterEach(async () => {
  await source[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const clock = () => new Date('2030-01-02T03:04:05.000Z');

async function backUp(
  dataDir = folder,
  recipients: WriteBackupOptions['recipients'] = 'plaintext',
): Promise<number> {
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  return writeBackup({
    ...{ database: source.database, dataDir, file, clock, recipients },
    files: filesIn(dataDir),
    migrations: identityMigrations,
    auditKeys: secrets.signingKeys('audit'),
  });
}

/** The rows and files alone: what proves them has tests of its own. */
function restore(dataDir = folder, access: BackupAccess = 'plaintext') {
  return restoreBackup({
    ...{ database: target.database, dataDir, file, access },
    migrations: identityMigrations,
    prove: async () => {},
    onRestored: async () => {},
  });
}

async function readAll(database: Database): Promise<Record<string, unknown[]>> {
  const client = await database.pool.connect();
  try {
    const contents: Record<string, unknown[]> = {};
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(
        `select to_jsonb(t)::text as row from ${name} t order by 1`,
      );
      contents[name] = rows;
    }
    return contents;
  } finally {
    client.release();
  }
}

test('[backup-1] every row of every table comes back as it was', async () => {
  await source.database.pool.query(
    `insert into setting (key, value) select 'many-' || i, to_jsonb(repeat('x', 500)) from generate_series(1, 3000) i`,
  );
  await backUp();
  expect(await restore()).toEqual(clock());
  expect(await readAll(target.database)).toEqual(await readAll(source.database));
});

test('[backup-10] an encrypted backup is read by each of its recipients, and says nothing to others', async () => {
  const [first, second] = [await makeIdentity(clock()), await makeIdentity(clock())];
  await backUp(folder, [first.recipient, second.recipient]);
  const written = await readFile(file);
  expect(written.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
  const read = new Decrypter();
  read.addIdentity(secretOf(first));
  const zipped = await read.decrypt(new Uint8Array(written));
  expect(gunzipSync(zipped).toString('utf8')).toContain('"device-portal-backup"');
  await restore(folder, { identities: [secretOf(second)] });
  expect(await readAll(target.database)).toEqual(await readAll(source.database));
});

test('[backup-11] the private key that seals the audit trail is in no backup', async () => {
  const from = join(folder, 'from');
  await openInstallationSecrets(createFileSecrets(from));
  await backUp(from);
  const to = join(folder, 'to');
  await restore(to);
  const names = await readdir(join(to, 'keys'));
  expect(names).toContain('runs-signing-keys.json');
  expect(names).not.toContain('audit-signing-keys.json');
  const ring = JSON.parse(await readFile(join(from, 'keys/audit-signing-keys.json'), 'utf8'));
  const plain = gunzipSync(await readFile(file)).toString('utf8');
  expect(plain).toContain(ring.keys[0].publicKey);
  expect(plain).not.toContain(ring.keys[0].privateKey);
});

test('[backup-7] sealed audit events come back sealed, those that wait go on waiting, none twice', async () => {
  const record = () =>
    inTransaction(source.database, (tx) =>
      recordAudit(tx, [
        { type: 'device.created', actor: systemActor },
        { type: 'device.retired', actor: systemActor },
      ]),
    );
  await record();
  await sealAuditTrail(sealing(source));
  await record();
  await backUp();
  await restore();
  expect(await readAll(target.database)).toEqual(await readAll(source.database));
  expect(await sealAuditTrail(sealing(target))).toBe(2);
  expect(await verifyAuditTrail(onlyHot(target))).toMatchObject({
    verified: 4,
    broken: null,
    strays: 0,
  });
});

test('[backup-9] keys of the provider come back from a backup of a release that knew no time of signing', async () => {
  await source[Symbol.asyncDispose]();
  source = await createTestDatabase({ empty: true });
  const steps = { identity: '0020-provider-upload-limits.sql' };
  await migrateDatabase(source.database, identityMigrations, { steps });
  const { pool } = source.owner;
  await pool.query('alter table identity.provider_key drop column signs_from');
  await pool.query(
    `insert into identity.provider_key (kid, purpose, sealed_key, sealing_key_id, public_key, created_at)
     values ('kid-1', 'signing', 'sealed', 'key-1', 'public', $1)`,
    [clock()],
  );
  await backUp();
  await restore();
  const { rows } = await target.database.pool.query<{ hasCome: boolean }>(
    `select kid, signs_from <= created_at as "hasCome" from identity.key_pair`,
  );
  expect(rows).toEqual([{ kid: 'kid-1', hasCome: true }]);
});

test('[backup-2] the certificate authority comes back readable by its owner only', async () => {
  const from = join(folder, 'from');
  await mkdir(join(from, 'certificates'), { recursive: true });
  await writeFile(join(from, 'certificates', 'ca.key'), 'secret');
  await backUp(from);
  const to = join(folder, 'to');
  await restore(to);
  expect(await readFile(join(to, 'certificates', 'ca.key'), 'utf8')).toBe('secret');
  expect((await stat(join(to, 'certificates', 'ca.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('[backup-8] files of versions and collected files come back, whatever their size; parts of uploads do not', async () => {
  const from = join(folder, 'from');
  const put = async (path: string, content: Buffer | string) => {
    await mkdir(join(from, path, '..'), { recursive: true });
    await writeFile(join(from, path), content);
  };
  const large = Buffer.alloc(7 * 1024 * 1024, 'seven bytes in turn');
  await put('software/ab/ab-large', large);
  await put('software/ab/ab-begun.part', 'half');
  await put('artefacts/cd/cd-empty', '');
  await backUp(from);
  const to = join(folder, 'to');
  await restore(to);
  expect((await readFile(join(to, 'software/ab/ab-large'))).equals(large)).toBe(true);
  expect(await readFile(join(to, 'artefacts/cd/cd-empty'), 'utf8')).toBe('');
  expect((await readdir(to, { recursive: true })).filter((name) => name.includes('part'))).toEqual(
    [],
  );
  expect(await readdir(to)).not.toContain('restoring');
});

test('[backup-3] a database in use is not overwritten', async () => {
  await backUp();
  await restore();
  await expect(restore()).rejects.toThrow(/not empty.*--data-dir.*DEVICEPORTAL_DATABASE_URL/);
});

test('[backup-4] a file that was cut off leaves the database empty, and a whole one works after it', async () => {
  await backUp();
  const whole = await readFile(file);
  await writeFile(file, whole.subarray(0, whole.length - 60));
  await expect(restore()).rejects.toThrow(/truncated or damaged/);
  const { rows } = await target.database.pool.query('select count(*) from setting');
  expect(rows).toEqual([{ count: 0 }]);
  await writeFile(file, whole);
  await restore();
});

test('[backup-5] a file that is no backup is refused by name', async () => {
  await writeFile(file, 'hello');
  await expect(restore()).rejects.toThrow(/backup\.gz is (not a backup|truncated)/);
  await rm(file);
  await expect(restore()).rejects.toThrow(/Cannot read /);
});

test('[backup-6] the file names the migration it was made with', async () => {
  await backUp();
  const header =
    gunzipSync(await readFile(file))
      .toString('utf8')
      .split('\n', 1)[0] ?? '';
  expect(JSON.parse(header)).toMatchObject({
    format: 'device-portal-backup',
    migration: expect.any(Number),
    steps: { identity: expect.stringMatching(/^\d{4}-.*\.sql$/) },
  });
});

const secretOf = ({ text }: { readonly text: string }): string =>
  text.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-')) ?? '';

/** The sign-in service of an installation with this data folder. */
const openSignIn = async (database: Database, dataDir: string) =>
  openInstallationIdentity({
    database,
    dataDir,
    secrets: await openInstallationSecrets(createFileSecrets(dataDir)),
  });

test('[backup-8] sign-in goes on with the same keys after a restore, but not with the tables alone', async () => {
  const from = join(folder, 'from');
  const before = await openSignIn(source.database, from);
  await backUp(from);
  expect(gunzipSync(await readFile(file)).toString('latin1')).not.toContain('PRIVATE KEY');
  const to = join(folder, 'to');
  await restore(to);
  const after = await openSignIn(target.database, to);
  expect(await after.keySet()).toEqual(await before.keySet());
  await expect(openSignIn(target.database, join(folder, 'elsewhere'))).rejects.toThrow(
    /sealed by another installation\. Copy its keys\/installation\.key to .*elsewhere\/keys/,
  );
});
