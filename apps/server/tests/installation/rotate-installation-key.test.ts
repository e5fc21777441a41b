import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealMismatchError } from '@deviceportal/identity/key-seal';
import { resealKeys } from '@deviceportal/identity/reseal-keys';
import { newId } from '@deviceportal/contract/ids';
import { createNextStepTokens } from '../../src/air-blast/steps/next-step-token.ts';
import {
  openStoreParameters,
  type SealedParameter,
} from '../../src/air-blast/plan/store-parameters.ts';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createSchedule } from '../../src/commands/schedules/create-schedule.ts';
import { openBlinding } from '../../src/commands/signing/blinding.ts';
import { openStore } from '../../src/commands/parameters/store-vault.ts';
import { composeSealed } from '../../src/compose/compose-sealed.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { recordServer } from '../../src/installation/data/installation-queries.ts';
import { openOwnSecrets } from '../../src/installation/open-own-secrets.ts';
import {
  rotateInstallationKey,
  type RotateInstallationKeyOptions,
} from '../../src/installation/rotate-installation-key.ts';
import { secretFingerprints } from '../../src/installation/secret-fingerprints.ts';
import { createMessageSeal } from '../../src/messages/message-seal.ts';
import {
  openInstallationSecrets,
  type InstallationSecrets,
} from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { keyPurposes } from '../../src/platform/secrets/key-purposes.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import {
  createAirBlastFixture,
  type AirBlastFixture,
} from '../support/air-blast/air-blast-fixture.ts';
import { origin, runInput, seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { openInstallationIdentity } from '../support/installation-identity.ts';
import { publishVersion } from '../support/publish-document.ts';
import { fileSecretsIn } from '../support/secrets/file-secrets-in.ts';

const SECRET = 'hunter2-hunter2';
const STORED = 'from-the-store';
const DOCUMENT = 'acme-join-network';
const content = `schemaVersion: '2.2'
parameters:
  passphrase: { type: String }
mainSteps:
  - action: aws:runShellScript
    name: join
    inputs: { runCommand: ['join {{ssm:wifi.key}}'] }
`;
const administrator = viewerWith('Administrator');
const DAY_MS = 86_400_000;

let dataDir: string;
let db: TestDatabase;
let secrets: InstallationSecrets;
let fixture: AirBlastFixture;
let now: Date | null;

beforeEach(async () => {
  now = null;
  dataDir = await mkdtemp(join(tmpdir(), 'dp-rotate-'));
  db = await createTestDatabase();
  secrets = await openOwnSecrets({ database: db.database, config: fileSecretsIn(dataDir) });
  const vault = createParameterVault(secrets.keysFor(keyPurposes.parameters));
  const approvals = secrets.keysFor(keyPurposes.approvals);
  const sign = (key: Uint8Array, text: string) =>
    createHmac('sha256', key).update(text).digest('hex');
  fixture = await createAirBlastFixture(db.database, {
    vault,
    tokens: createNextStepTokens(secrets.keysFor(keyPurposes.nextSteps)),
    signApproval: (text) => sign(approvals.current, text),
    approvalSignatures: (text) => approvals.known.map((key) => sign(key, text)),
  });
  fixture.stored.push({ name: 'wifi.key', version: 1, type: 'SecureString', value: STORED });
  await createDocument(fixture.deps, administrator, {
    ...{ name: DOCUMENT, description: '', consequence: 'changes', content, note: '', origin },
    secretParameters: ['passphrase'],
    labels: {},
  });
  await publishVersion(fixture.deps, administrator, { name: DOCUMENT, version: 1 });
});
afterEach(async () => {
  await db[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const rotate = (options: Partial<RotateInstallationKeyOptions> = {}, waitMs = 0) =>
  rotateInstallationKey(
    {
      ...{ database: db.database, secrets, waitMs },
      clock: () => now ?? new Date(),
      sealed: composeSealed({ database: db.database, secrets }),
    },
    { begin: true, now: false, ...options },
  );

/** One item of each kind that is sealed with a key of the installation. */
async function sealEverything() {
  const deviceIds = await seedDevices(db.database, [{}]);
  const target = { kind: 'devices' as const, deviceIds: [...deviceIds] };
  const parameters = { passphrase: SECRET };
  const run = await runCommand(
    fixture.deps,
    administrator,
    runInput({ command: 'document', document: DOCUMENT, target, parameters }),
  );
  const { idempotencyKey: _key, ...input } = runInput({
    ...{ command: 'document', document: DOCUMENT, target, parameters },
  });
  const schedule = await createSchedule(fixture.deps, administrator, {
    ...input,
    ...{ id: newId(), name: 'hourly', missed: 'skip', freeze: false, target },
    times: { kind: 'cron', cron: '0 * * * *', timeZone: 'UTC' },
    confirmation: '',
  });
  const plan = await fixture.plan(administrator, await seedDevices(db.database, [{}, {}]), {
    change: { kind: 'document', document: DOCUMENT, parameters },
  });
  const messageId = newId();
  const seal = createMessageSeal(secrets.keysFor(keyPurposes.messages));
  const message = { to: 'a@example.com', subject: 's', text: 't', html: 'h' };
  await db.database.pool.query(
    `insert into outgoing_message (id, channel, kind, recipient_hash, sealed, state, repeatable, attempts,
       free_at, expires_at, created_at)
     values ($1, 'email', 'notice', 'hash', $2, 'waiting', true, 0, now(), now() + interval '1 day', now())`,
    [messageId, seal.seal(messageId, message as never)],
  );
  await openInstallationIdentity({ database: db.database, dataDir, secrets });
  return { runId: run.id, scheduleId: schedule.id, planId: plan.id, messageId };
}

/** Reads all of it with one key only. */
async function readEverything(
  key: (purpose: string) => Uint8Array,
  ids: Awaited<ReturnType<typeof sealEverything>>,
) {
  const vault = createParameterVault(key(keyPurposes.parameters));
  const one = async (text: string, id: string) =>
    (await db.database.pool.query(text, [id])).rows[0] as Record<string, never>;
  const run = await one('select parameters from command_run where id = $1', ids.runId);
  const schedule = await one(
    `select parameters, signed_authorization->>'blinding' as blinding from run_schedule where id = $1`,
    ids.scheduleId,
  );
  const plan = await one(
    'select parameters, store_parameters as kept, revision from air_blast where id = $1',
    ids.planId,
  );
  const signature = await one('select blinding from run_signature where run_id = $1', ids.runId);
  const secure = (await db.database.pool.query('select name, fingerprint, box from secure_value'))
    .rows as { name: string; fingerprint: string; box: string }[];
  const message = await one('select sealed from outgoing_message where id = $1', ids.messageId);
  const opened = createMessageSeal(key(keyPurposes.messages)).open(
    ids.messageId,
    message['sealed'] as unknown as string,
  );
  return {
    run: vault.open(ids.runId, run['parameters'] as never)['passphrase'],
    store: Object.values(
      openStore(vault, { id: ids.runId, parameters: run['parameters'] as never }),
    ).map(({ value }) => value),
    schedule: vault.open(ids.scheduleId, schedule['parameters'] as never)['passphrase'],
    authorization: openBlinding(vault, ids.scheduleId, schedule['blinding'] as unknown as string)
      .length,
    plan: vault.open(ids.planId, plan['parameters'] as never)['passphrase'],
    kept: openStoreParameters(
      vault,
      { id: ids.planId, revision: plan['revision'] as unknown as number },
      plan['kept'] as unknown as SealedParameter[],
    ).map(({ value }) => value),
    blinding: openBlinding(vault, ids.runId, signature['blinding'] as unknown as string).length,
    secure: secure.map(({ name, fingerprint, box }) =>
      vault.openText(`secure-value/${name}/${fingerprint}`, box),
    ),
    message: opened.to,
    identity: await resealKeys(db.database.pool, {
      current: key(keyPurposes.identity),
      known: [key(keyPurposes.identity)],
    }),
  };
}

const everything = {
  ...{ run: SECRET, schedule: SECRET, plan: SECRET, blinding: 43, identity: 0 },
  authorization: 43,
  ...{ store: [STORED], kept: [STORED], secure: [STORED], message: 'a@example.com' },
};

test('reseals everything with the new key, so that the new key alone can open it', async () => {
  const ids = await sealEverything();
  const before = new Map(
    Object.values(keyPurposes).map((purpose) => [purpose, secrets.keysFor(purpose).current]),
  );
  expect(await rotate({ now: true })).toMatchObject({ kind: 'done' });
  const after = (purpose: string) => secrets.keysFor(purpose).current;
  expect(after(keyPurposes.links)).not.toEqual(before.get(keyPurposes.links));
  expect(await readEverything(after, ids)).toEqual(everything);
  await expect(
    readEverything((purpose) => before.get(purpose as never) as Uint8Array, ids),
  ).rejects.toThrow(/unable to authenticate data/);
  const oldKey = before.get(keyPurposes.identity) as Uint8Array;
  await expect(resealKeys(db.database.pool, { current: oldKey, known: [oldKey] })).rejects.toThrow(
    SealMismatchError,
  );
});

test('accepts earlier links, next-step tokens, and plans until the previous key is destroyed', async () => {
  const ids = await sealEverything();
  const signer = createUrlSigner(secrets.keysFor(keyPurposes.links), () => now ?? new Date());
  const link = new URLSearchParams(signer.sign('report', 'x', 6 * 86_400));
  const query = {
    expires: link.get('expires') ?? '',
    signature: link.get('signature') ?? '',
  };
  expect(await rotate()).toMatchObject({ kind: 'overlaps' });
  expect(await readEverything((purpose) => secrets.keysFor(purpose).current, ids)).toEqual(
    everything,
  );
  expect(signer.verify('report', 'x', query)).toBe('valid');
  // The first wave executes the earlier plan.
  const [run] = (await db.database.pool.query('select id from air_blast')).rows as { id: string }[];
  await fixture.next(administrator, { ...(run as { id: string }), ...{} } as never);
  await fixture.round();
  const { rows } = await db.database.pool.query('select step_state, state_reason from air_blast');
  expect(rows).not.toEqual([{ step_state: 'failed', state_reason: 'plan-changed' }]);
  now = new Date(Date.now() + 8 * DAY_MS);
  expect(await rotate({ begin: false })).toMatchObject({ kind: 'overlaps' });
  await db.database.pool.query('update air_blast set ended_at = now()');
  expect(await rotate({ begin: false })).toMatchObject({ kind: 'done' });
  now = null;
  expect(signer.verify('report', 'x', query)).toBe('invalid');
});

describe('a server without the next key', () => {
  test('delays the rotation, and nothing is sealed with a key that it cannot open', async () => {
    const before = secrets.keysFor(keyPurposes.parameters).current;
    const stranger = await openInstallationSecrets(createFileSecrets(dataDir));
    const id = newId();
    await recordServer(db.database.orm, {
      ...{ id, name: 'other:1' },
      secrets: await secretFingerprints(stranger),
    });
    expect(await rotate()).toMatchObject({ kind: 'waits', servers: ['other:1'] });
    expect(secrets.keysFor(keyPurposes.parameters).current).toEqual(before);
    await stranger.refresh();
    await recordServer(db.database.orm, {
      ...{ id, name: 'other:1' },
      secrets: await secretFingerprints(stranger),
    });
    // It has the key now, and does not use it yet.
    expect(await rotate()).toMatchObject({ kind: 'waits', servers: ['other:1'] });
    expect(secrets.keysFor(keyPurposes.parameters).current).not.toEqual(before);
    await stranger.refresh();
    await recordServer(db.database.orm, {
      ...{ id, name: 'other:1' },
      secrets: await secretFingerprints(stranger),
    });
    expect(await rotate()).toMatchObject({ kind: 'overlaps' });
  });
});

test('records the rotation and the end of the previous key in the audit trail', async () => {
  await rotate({ now: true });
  const { rows } = await db.database.pool.query(
    `select type, data->>'secret' as secret from audit_event where type like 'installation.%' order by id`,
  );
  expect(rows).toEqual([
    { type: 'installation.secret-rotated', secret: 'installation-key' },
    { type: 'installation.secret-retired', secret: 'installation-key' },
  ]);
  const file = JSON.parse(await readFile(join(dataDir, 'keys/installation.key'), 'utf8'));
  expect(file.earlier).toEqual([]);
});

test('completes the record at the next start after a kill between the file and the database', async () => {
  await secrets.installationKey.prepare();
  await secrets.installationKey.promote();
  await openOwnSecrets({ database: db.database, config: fileSecretsIn(dataDir) });
  const { rows } = await db.database.pool.query(
    `select data->>'secret' as secret from audit_event where type = 'installation.secret-rotated'`,
  );
  expect(rows).toEqual([{ secret: 'installation-key' }]);
  expect(await rotate()).toMatchObject({ kind: 'overlaps' });
});
