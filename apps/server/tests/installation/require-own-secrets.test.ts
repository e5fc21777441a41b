import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDeviceAuthorityRing } from '../../src/gateway/certificates/device-authority-ring.ts';
import { acceptSecret } from '../../src/installation/accept-secret.ts';
import { openOwnSecrets } from '../../src/installation/open-own-secrets.ts';
import { openOwnAuthority } from '../../src/installation/open-own-authority.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { fileSecretsIn } from '../support/secrets/file-secrets-in.ts';

let folder: string;
let db: TestDatabase;
const clock = () => new Date();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dp-own-'));
  db = await createTestDatabase();
});
afterEach(async () => {
  await db[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const open = (name: string) =>
  openOwnSecrets({
    database: db.database,
    config: fileSecretsIn(join(folder, name)),
  });

const openAuthority = (secrets: InstallationSecrets) =>
  openOwnAuthority({ database: db.database, secrets, clock }, []);

async function recorded(): Promise<unknown[]> {
  const { rows } = await db.database.pool.query(
    'select name, fingerprint from installation_secret order by name',
  );
  return rows;
}

test('records the secrets at the first start and accepts the same ones at the next', async () => {
  await open('one');
  const before = await recorded();
  expect(before).toHaveLength(5);
  await open('one');
  expect(await recorded()).toEqual(before);
});

test('rejects a folder without keys before creating keys in it', async () => {
  await open('one');
  await expect(open('empty')).rejects.toThrow(
    /empty\/keys\/installation\.key is missing.*Copy the folders keys and certificates/,
  );
  expect(await createFileSecrets(join(folder, 'empty')).read('keys/installation.key')).toBe(
    undefined,
  );
});

test('rejects keys of another installation with one line that names the file and fingerprints', async () => {
  await open('one');
  const before = await recorded();
  await openInstallationSecrets(createFileSecrets(join(folder, 'other')));
  await expect(open('other')).rejects.toThrow(
    /other\/keys\/installation\.key does not belong to this installation: its fingerprint is [0-9a-f]{16}, but .* [0-9a-f]{16} \(since/,
  );
  expect(await recorded()).toEqual(before);
});

test('does not create a second device authority on a second gateway', async () => {
  await openAuthority(await open('one'));
  // The operator has copied the keys but not the certificates.
  await cp(join(folder, 'one/keys'), join(folder, 'two/keys'), { recursive: true });
  const two = await open('two');
  await expect(openAuthority(two)).rejects.toThrow(
    /two\/certificates\/authority\.pem is missing, but this database belongs .* \(device-authority [0-9a-f]{16}\)\. Copy/,
  );
  expect(await readdir(join(folder, 'two'))).toEqual(['keys']);
});

test('rejects the device authority of another installation', async () => {
  await openAuthority(await open('one'));
  await cp(join(folder, 'one/keys'), join(folder, 'two/keys'), { recursive: true });
  await openDeviceAuthorityRing(createFileSecrets(join(folder, 'two')), clock());
  await expect(open('two')).rejects.toThrow(
    /two\/certificates\/device-authority\.json does not belong to this installation/,
  );
});

test.each(['audit-signing-keys.json', 'runs-signing-keys.json', 'idp-application.secret'])(
  'does not replace a missing %s that the installation has',
  async (file) => {
    await open('one');
    await cp(join(folder, 'one'), join(folder, 'two'), { recursive: true });
    await rm(join(folder, 'two/keys', file));
    await expect(open('two')).rejects.toThrow(new RegExp(`two/keys/${file} is missing, but`));
    expect(await readdir(join(folder, 'two/keys'))).not.toContain(file);
  },
);

test('of two first servers that start at once with folders of their own, one creates the secrets', async () => {
  const outcomes = await Promise.allSettled([open('one'), open('two')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [refused] = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(String(refused)).toMatch(/installation\.key is missing, but this database belongs/);
});

test('rejects a copy from before a rotation and accepts the current file', async () => {
  const one = await open('one');
  await cp(join(folder, 'one'), join(folder, 'copy'), { recursive: true });
  await one.installationKey.prepare();
  await cp(join(folder, 'one'), join(folder, 'later'), { recursive: true });
  await one.installationKey.promote();
  await open('one');
  await expect(open('copy')).rejects.toThrow(
    /installation\.key does not belong to this installation/,
  );
  await expect(open('later')).rejects.toThrow(
    /installation\.key is outdated: another server has used its next key/,
  );
});

test('lets an operator replace a lost secret and records that in the audit trail', async () => {
  await open('one');
  await openInstallationSecrets(createFileSecrets(join(folder, 'other')));
  const secrets = await openInstallationSecrets(createFileSecrets(join(folder, 'other')));
  for (const name of ['installation-key', 'audit', 'runs', 'releases', 'idp-application'] as const)
    await acceptSecret({ database: db.database, secrets, now: new Date() }, name);
  await open('other');
  const { rows } = await db.database.pool.query(
    "select count(*)::int as count from audit_event where type = 'installation.secret-accepted'",
  );
  expect(rows).toEqual([{ count: 5 }]);
});
