import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeysOf, auditSignerOf } from '../../src/audit-trail/audit-signer.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { openPersonalKeys } from '../../src/personal-data/keys/personal-keys-of.ts';
import {
  emptyRegister,
  ERASURE_REGISTER_FILE,
} from '../../src/personal-data/register/erasure-register.ts';
import { keepErasureRegister } from '../../src/personal-data/register/keep-erasure-register.ts';
import { parseRegister, signRegister } from '../../src/personal-data/register/signed-register.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { keyPurposes } from '../../src/platform/secrets/key-purposes.ts';
import { onlyHot } from '../support/audit/audit-signer.ts';
import {
  BackupFixture,
  countRows,
  runRestore,
  type KnownErasures,
  type RestorePlace,
} from '../support/database/backup-fixture.ts';
import { act, eraseNow, seedCustomer, seedUser, type SeededUser } from './seeded-people.ts';

let setup: BackupFixture;
let user: SeededUser;
let customer: SeededUser;
let other: SeededUser;
let file = '';
let register = '';

/** A backup with three people in it, of whom two are erased afterwards. */
beforeEach(async () => {
  setup = await BackupFixture.open();
  const { database } = setup.source;
  openPersonalKeys(database, setup.secrets.keysFor(keyPurposes.personalData));
  user = await seedUser(database, 'maria-quill@example.com');
  other = await seedUser(database, 'boris@example.com');
  customer = await seedCustomer(database, 'carla-quill');
  for (const one of [user, other]) await act(database, one);
  await setup.sealOne();
  file = await setup.backUp();
  for (const one of [user, customer]) await eraseNow(database, one);
  await keepErasureRegister({ database, secrets: setup.secrets });
  register = join(setup.folder, 'from', ERASURE_REGISTER_FILE);
});
afterEach(() => setup[Symbol.asyncDispose]());

const restore = (place: RestorePlace, erasures: KnownErasures) =>
  runRestore(place, [file, '--identity', setup.identity, '--audit-key', setup.auditKey], erasures);

async function readPeople({ database: { owner } }: RestorePlace): Promise<string> {
  const { rows } = await owner.pool.query(`
    select t::text as row from portal_user t union all select t::text from person t
    union all select t::text from audit_event t union all select k::text from person_key k`);
  return rows.map(({ row }) => row).join('\n');
}

/** The keys of the restored database that can be opened. */
async function openKeys({ database: { owner } }: RestorePlace): Promise<string[]> {
  const { rows } = await owner.pool.query<{ person: string }>(
    `select person from person_key where sealed is not null and person not like 'name%'`,
  );
  return rows.map(({ person }) => person);
}

test('the register contains only IDs and fingerprints', async () => {
  const text = await readFile(register, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    users: [{ id: user.id }],
    customers: [{ id: customer.id }],
  });
  expect(text).not.toMatch(/quill|192\.0\.2/);
});

test('[restore-erased-2] a restored older backup contains no erased person, and its chain verifies', async () => {
  const place = await setup.place();
  const { code, output } = await restore(place, ['--erasures', register]);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toMatch(/2 people and \d+ keys of the backup were erased again/);
  expect(await readPeople(place)).not.toMatch(/quill/);
  expect(await openKeys(place)).toEqual([other.id]);
  const { database } = place.database;
  const secrets = await openInstallationSecrets(createFileSecrets(place.dataDir));
  const ring = secrets.signingKeys('audit');
  const clock = (): Date => new Date();
  expect(await sealAuditTrail({ database, clock, signer: auditSignerOf(ring) })).toBeGreaterThan(0);
  expect(
    await verifyAuditTrail({ ...onlyHot({ database }), trustedKeys: auditKeysOf(ring) }),
  ).toMatchObject({ broken: null });
});

test('the register in the data directory is used without an option', async () => {
  const place = await setup.place();
  await cp(register, join(place.dataDir, ERASURE_REGISTER_FILE), { recursive: true });
  expect(await restore(place, [])).toMatchObject({ code: 0 });
  expect(await readPeople(place)).not.toMatch(/quill/);
});

test('without a register, nothing is restored unless the operator accepts it', async () => {
  const refused = await setup.place();
  const { code, output } = await restore(refused, []);
  expect(code).not.toBe(0);
  expect(output).toContain('No register of erased people was found.');
  const accepted = await setup.place();
  const known = await restore(accepted, ['--no-erasures']);
  expect(known).toMatchObject({ code: 0 });
  expect(known.output).toContain('Not known: who was erased after the backup was made.');
});

test('after a restore with other tools, the next start erases people again', async () => {
  const place = await setup.place();
  await restore(place, ['--no-erasures']);
  expect(await readPeople(place)).toMatch(/quill/);
  const { database } = place.database;
  const { secrets } = setup;
  const people = await keepErasureRegister({ database, secrets });
  expect(people.toSorted()).toEqual([user.id, customer.id].toSorted());
  expect(await readPeople(place)).not.toMatch(/quill/);
  expect(await keepErasureRegister({ database, secrets })).toEqual([]);
});

test('a register without the erasures after the backup is rejected, and nothing is restored', async () => {
  const newest = await readFile(register);
  const place = await setup.place();
  const own = join(place.dataDir, ERASURE_REGISTER_FILE);
  await mkdir(dirname(own), { recursive: true });
  const expectRefused = async (content: Uint8Array, reason: string): Promise<void> => {
    await writeFile(own, content);
    const { code, output } = await restore(place, []);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(reason) });
  };
  await expectRefused(Buffer.alloc(0), 'is not a complete register of erased people');
  await expectRefused(newest.subarray(0, -40), 'is not a complete register of erased people');
  const ring = setup.secrets.signingKeys('audit');
  await expectRefused(await signRegister(emptyRegister, ring), 'is empty');
  const another = await openInstallationSecrets(createFileSecrets(join(setup.folder, 'another')));
  const { register: content } = parseRegister(newest, register);
  await expectRefused(
    await signRegister(content, another.signingKeys('audit')),
    'of another installation',
  );
  file = await setup.backUp('after.age');
  const older = { ...content, users: [] };
  await expectRefused(await signRegister(older, ring), 'older than the backup');
  expect(await countRows(place, 'portal_user')).toBe(0);
});

test('a register that was signed after a key rotation is trusted for an earlier backup', async () => {
  const ring = setup.secrets.signingKeys('audit');
  await ring.prepare(new Date());
  await ring.promote(new Date());
  await keepErasureRegister({ database: setup.source.database, secrets: setup.secrets });
  const place = await setup.place();
  const [before] = ring.known.toReversed();
  const key = Buffer.from(before?.publicKey ?? [])
    .subarray(-32)
    .toString('base64url');
  const { code, output } = await runRestore(
    place,
    [file, '--identity', setup.identity, '--audit-key', key],
    ['--erasures', register],
  );
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(await readPeople(place)).not.toMatch(/quill/);
});
