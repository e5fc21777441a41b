import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { createKmsKey } from '../../../../packages/aws/tests/parts/create-kms-key.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { recordCalls } from '../../../../packages/aws/tests/parts/record-calls.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { openDeviceAuthorityRing } from '../../src/gateway/certificates/device-authority-ring.ts';
import { besideFiles } from '../../src/installation/beside-files.ts';
import { copySecrets } from '../../src/installation/copy-secrets.ts';
import { compareSecrets } from '../../src/installation/require-own-secrets.ts';
import { secretFingerprints } from '../../src/installation/secret-fingerprints.ts';
import { withoutSecond } from '../../src/installation/without-second.ts';
import type { AwsOptions, DataKeys } from '../../src/platform/aws/aws-package.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { createKmsSecrets, openKmsSecrets } from '../../src/platform/secrets/kms-secret-engine.ts';
import type { SecretEngine } from '../../src/platform/secrets/secret-engine.ts';
import { openSecretsManagerSecrets } from '../../src/platform/secrets/secrets-manager-engine.ts';
import { createMemorySecrets } from '../support/secrets/memory-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const LIMIT_MS = 280_000;
const KEY = 'keys/installation.key';
const denied = {
  status: 400,
  body: JSON.stringify({ __type: 'AccessDeniedException', message: 'User is not authorized' }),
};

let moto: RunningPart;
let db: TestDatabase;
let prefix: string;
let keyArn: string;

const inSecretsManager = async (at: AwsOptions = moto, arn?: string) =>
  besideFiles(await openSecretsManagerSecrets(at, { prefix, arn }), createMemorySecrets());
const inKms = async (at: AwsOptions = moto, arn = keyArn) =>
  besideFiles(
    await openKmsSecrets(at, { database: db.database, keyArn: arn }),
    createMemorySecrets(),
  );

/** Opens the secrets as a starting server does. */
const start = (store: SecretEngine) =>
  inTransaction(db.database, async (tx) => {
    const secrets = await openInstallationSecrets(await withoutSecond(tx, store));
    await compareSecrets(tx, { secrets: { ...secrets, store }, clock: () => new Date() });
    return secrets;
  });

async function fingerprints(store: SecretEngine): Promise<unknown> {
  return secretFingerprints(await openInstallationSecrets(store));
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) throw new Error('not an error');
  expect(error.name).toBe('StartError');
  expect(error.message).not.toContain('\n');
  return error.message;
};

describe.skipIf(lacks('moto'))('secrets of the installation in AWS', () => {
  beforeAll(async () => {
    moto = await startMoto();
  }, LIMIT_MS);
  afterAll(() => moto[Symbol.asyncDispose]());
  beforeEach(async () => {
    db = await createTestDatabase();
    keyArn = await createKmsKey(moto);
    prefix = `portal/${keyArn.slice(-12)}`;
  }, LIMIT_MS);
  afterEach(() => db[Symbol.asyncDispose]());

  test.each([
    { place: 'Secrets Manager', open: () => inSecretsManager() },
    { place: 'the database, sealed by KMS', open: () => inKms() },
  ])(
    'two servers that create secrets in $place at once use the same ones',
    async ({ open }) => {
      const now = new Date();
      const stores = await Promise.all([open(), open()]);
      const found = await Promise.all(
        stores.map(async (store) => {
          await openInstallationSecrets(store);
          await openDeviceAuthorityRing(store, now);
          return fingerprints(store);
        }),
      );
      expect(found[1]).toEqual(found[0]);
      expect(found[0]).toHaveLength(6);
    },
    LIMIT_MS,
  );

  test.each([
    { place: 'Secrets Manager', open: () => inSecretsManager() },
    { place: 'the database, sealed by KMS', open: () => inKms() },
  ])(
    'a server reads secrets in $place that another one has rotated',
    async ({ open }) => {
      const one = await start(await open());
      const two = await start(await open());
      await one.installationKey.prepare();
      await one.installationKey.promote();
      await two.refresh();
      expect(Buffer.from(two.installationKey.current)).toEqual(
        Buffer.from(one.installationKey.current),
      );
      const now = new Date();
      const authorities = await openDeviceAuthorityRing(one.store, now);
      const before = await openDeviceAuthorityRing(two.store, now);
      await authorities.prepare(now);
      await authorities.promote(now);
      await before.refresh();
      expect(before.current).toEqual(authorities.current);
    },
    LIMIT_MS,
  );

  test(
    'an ARN names the same secrets as its prefix does',
    async () => {
      const arn = `arn:aws:secretsmanager:us-east-1:123456789012:secret:${prefix}`;
      const made = await fingerprints(await inSecretsManager(moto, arn));
      expect(await fingerprints(await inSecretsManager())).toEqual(made);
    },
    LIMIT_MS,
  );

  test(
    'a replaced secret loses its previous version in Secrets Manager',
    async () => {
      const store = await inSecretsManager();
      await store.create(KEY, Buffer.from('destroyed'));
      await store.replace(KEY, Buffer.from('current'));
      const at = { SecretId: `${prefix}/${KEY}` };
      const read = (VersionStage: string) =>
        callMoto(moto, 'secretsmanager', 'secretsmanager.GetSecretValue', { ...at, VersionStage });
      await expect(read('AWSPREVIOUS')).rejects.toThrow(/ResourceNotFound/);
      expect(await store.read(KEY)).toEqual(Buffer.from('current'));
      await store.remove(KEY);
      expect(await store.read(KEY)).toBe(undefined);
    },
    LIMIT_MS,
  );

  test(
    'a deleted secret is refused at the start, and no other one is created',
    async () => {
      const store = await inSecretsManager();
      await start(store);
      const remove = (input: object) =>
        callMoto(moto, 'secretsmanager', 'secretsmanager.DeleteSecret', {
          SecretId: `${prefix}/${KEY}`,
          ...input,
        });
      await remove({ RecoveryWindowInDays: 7 });
      expect(messageOf(await start(store).catch((error: unknown) => error))).toMatch(
        /^secretsmanager:.*\/keys\/installation\.key is not available: InvalidRequestException: .*marked (for deletion|deleted)/,
      );
      await remove({ ForceDeleteWithoutRecovery: true }).catch(() => {});
      await store.remove(KEY);
      expect(messageOf(await start(store).catch((error: unknown) => error))).toMatch(
        /keys\/installation\.key is missing, but this database belongs to an installation that has one .*DEVICEPORTAL_SECRETS/,
      );
      expect(await store.read(KEY)).toBe(undefined);
    },
    LIMIT_MS,
  );

  test.each([
    { place: 'Secrets Manager', open: inSecretsManager, says: /is not available: AccessDenied/ },
    { place: 'KMS', open: inKms, says: /^KMS did not open keys\/installation\.key with arn:aws/ },
  ])(
    'revoked rights at $place are refused at the start in one line',
    async ({ open, says }) => {
      await start(await open());
      await using recorder = await recordCalls(moto);
      const store = await open(recorder);
      recorder.answerNext(denied);
      const line = messageOf(await start(store).catch((error: unknown) => error));
      expect(line).toMatch(says);
      expect(line).toContain('AccessDeniedException: User is not authorized');
    },
    LIMIT_MS,
  );

  test(
    'sealed secrets open only with their key, under their name, and unchanged',
    async () => {
      const store = await inKms();
      const { installationKey } = await start(store);
      const { pool } = db.database;
      const { rows } = await pool.query<{ row: string }>(
        'select s::text as row from sealed_secret s',
      );
      expect(rows).toHaveLength(5);
      const stored = rows.map(({ row }) => row).join('\n');
      expect(stored).not.toContain(Buffer.from(installationKey.current).toString('base64'));
      expect(stored).not.toContain('privateKey');

      const other = await createKmsKey(moto);
      expect(
        messageOf(await start(await inKms(moto, other)).catch((error: unknown) => error)),
      ).toMatch(
        new RegExp(
          `sealed with ${other}\\) is missing, but this database belongs .* set DEVICEPORTAL_SECRETS to kms:${keyArn}\\.$`,
        ),
      );
      await pool.query('update sealed_secret set key_arn = $1', [other]);
      expect(
        messageOf(await start(await inKms(moto, other)).catch((error: unknown) => error)),
      ).toMatch(
        /^KMS did not open keys\/installation\.key with .*: (IncorrectKey|AccessDenied)Exception/,
      );
      await pool.query(
        `update sealed_secret s set key_arn = $1, data_key = o.data_key, sealed = o.sealed
         from sealed_secret o where o.name = 'keys/idp-application.secret'`,
        [keyArn],
      );
      expect(messageOf(await start(await inKms()).catch((error: unknown) => error))).toMatch(
        /^KMS did not open keys\/installation\.key with .*: InvalidCiphertextException/,
      );
    },
    LIMIT_MS,
  );

  test(
    'names the installation and the secret in every call of KMS, and asks it once for each value',
    async () => {
      await start(await inKms());
      await using recorder = await recordCalls(moto);
      const store = await inKms(recorder);
      const secrets = await start(store);
      await secrets.refresh();
      const calls = recorder.calls.map(({ target, body }) => [
        target,
        (JSON.parse(body) as { EncryptionContext: unknown }).EncryptionContext,
      ]);
      expect(calls).toHaveLength(5);
      expect(calls).toContainEqual([
        'TrentService.Decrypt',
        {
          application: 'device-portal',
          installation: expect.stringMatching(/^[0-9a-f-]{36}$/),
          secret: KEY,
        },
      ]);
    },
    LIMIT_MS,
  );

  test(
    'copies the secrets from files over Secrets Manager and KMS to other files, and records it',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'dp-copy-'));
      await using _folder = {
        [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
      };
      const from = createFileSecrets(join(folder, 'from'));
      await openDeviceAuthorityRing(from, new Date());
      await start(from);
      const before = await fingerprints(from);
      const places = [
        await inSecretsManager(),
        await inKms(),
        createFileSecrets(join(folder, 'to')),
      ];
      let current: SecretEngine = from;
      for (const target of places) {
        const secrets = { ...(await start(current)), store: current };
        const copied = await copySecrets({
          ...{ database: db.database, secrets, target },
          places: { from: current.placeOf(''), to: target.placeOf('') },
        });
        expect(copied).toBe(6);
        expect(await fingerprints(target)).toEqual(before);
        current = target;
      }
      expect(await fingerprints(from)).toEqual(before);
      const { rows } = await db.database.pool.query(
        `select data->>'copied' as copied from audit_event where type = 'installation.secrets-copied'`,
      );
      expect(rows).toEqual([{ copied: '6' }, { copied: '6' }, { copied: '6' }]);
    },
    LIMIT_MS,
  );

  test(
    'does not copy over another secret, nor beside a device authority of another time',
    async () => {
      const [from, occupied, stale] = [
        await inKms(),
        await inSecretsManager(),
        await inKms(moto, await createKmsKey(moto)),
      ];
      const secrets = { ...(await start(from)), store: from };
      const copy = (target: SecretEngine) =>
        copySecrets({
          ...{ database: db.database, secrets, target },
          places: { from: 'kms', to: 'other' },
        }).catch((error: unknown) => error);
      await openInstallationSecrets(occupied);
      expect(messageOf(await copy(occupied))).toMatch(/keys\/installation\.key is another secret/);
      await openDeviceAuthorityRing(stale, new Date());
      expect(messageOf(await copy(stale))).toMatch(
        /^The fingerprints of the copied secrets differ/,
      );
      const { rowCount } = await db.database.pool.query(
        `select from audit_event where type = 'installation.secrets-copied'`,
      );
      expect(rowCount).toBe(0);
    },
    LIMIT_MS,
  );
});

test('secrets of a multi-Region key are those of its replica in another region', async () => {
  await using own = await createTestDatabase();
  // The stand-in for KMS cannot decrypt with a replica.
  const keys: DataKeys = {
    generate: async () => ({ plain: Buffer.alloc(32, 1), sealed: Buffer.alloc(32, 1) }),
    open: async ({ sealed }) => new Uint8Array(sealed),
  };
  const open = (arn: string) => createKmsSecrets({ database: own.database, keys, keyArn: arn });
  const inRegion = (region: string, id: string) => `arn:aws:kms:${region}:123456789012:key/${id}`;
  const primary = await open(inRegion('us-east-1', 'mrk-1234'));
  await primary.create(KEY, Buffer.from('secret'));
  const [replica, other] = [
    await open(inRegion('eu-west-1', 'mrk-1234')),
    await open(inRegion('eu-west-1', '1234')),
  ];
  expect(await replica.read(KEY)).toEqual(Buffer.from('secret'));
  expect(await other.read(KEY)).toBe(undefined);
});
