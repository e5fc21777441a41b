import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  PASSKEY_CHANGE_MS,
  type AddedPasskey,
  type OwnPasskeys,
} from '@deviceportal/contract/passkeys';
import { createSoftwareAuthenticator } from '../../../../packages/identity/tests/support/software-authenticator.ts';
import { awsSettings } from '../support/aws/aws-settings.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { programEnv } from '../support/programs/program-env.ts';
import { askPool } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';
import { commandFile } from '../support/programs/program-files.ts';

let server: TestServer;
let admin: AccessFixture;
let operator: AccessFixture;
beforeAll(async () => {
  server = await startTestServer([], { DEVICEPORTAL_ADMINISTRATOR_PASSKEYS: 'on' });
  admin = await AccessFixture.open(server, 'admin');
  operator = await AccessFixture.open(server, 'operator');
});
afterAll(() => server[Symbol.asyncDispose]());

type Creation = Parameters<ReturnType<typeof createSoftwareAuthenticator>['create']>[0];

async function addPasskey(user: AccessFixture) {
  const authenticator = createSoftwareAuthenticator(server.url);
  const options = await user.done<Creation>('passkeys.begin');
  const credential = authenticator.create(options);
  return { authenticator, added: await user.done<AddedPasskey>('passkeys.add', { credential }) };
}

const listOf = (user: AccessFixture): Promise<OwnPasskeys> => user.read('passkeys.list');

/** The operator's command on this installation. */
async function runAdmin(...words: readonly string[]) {
  const { dataDir, databaseUrl } = server.installation;
  return spawnSync(process.execPath, [commandFile('admin'), ...words, '--data-dir', dataDir], {
    env: {
      ...programEnv,
      ...(await awsSettings(databaseUrl, {})),
      DEVICEPORTAL_DATABASE_URL: databaseUrl,
    },
    encoding: 'utf8',
  });
}

describe('administrators who must have a passkey', () => {
  test('an administrator without one can only add one, and then continue', async () => {
    expect(await admin.session()).toMatchObject({ mustAddPasskey: true, grants: [] });
    for (const path of ['access.users.list', 'devices.list', 'auditTrail.list']) {
      expect(await admin.ask(path, {})).toMatchObject({ code: 1000 });
    }
    expect((await admin.order('access.requests.request', {})).status).not.toBe(200);
    const { added } = await addPasskey(admin);
    expect(added.recoveryCodes).toHaveLength(10);
    const session = await admin.session();
    expect(session.mustAddPasskey).toBe(false);
    expect(session.grants.length).toBeGreaterThan(0);
  });

  test('other users need none', async () => {
    const session = await operator.session();
    expect(session).toMatchObject({ mustAddPasskey: false });
    expect(session.grants.length).toBeGreaterThan(0);
  });

  test('an operator’s command removes the passkeys of an administrator who lost them', async () => {
    if ((await listOf(admin)).passkeys.length === 0) await addPasskey(admin);
    const address = 'admin@deviceportal.local';
    expect((await runAdmin('remove-passkeys', address)).stdout).toContain('Removed the passkeys');
    expect((await runAdmin('remove-passkeys', address)).stdout).toContain('has no passkeys');
    expect(await runAdmin('remove-passkeys', 'stranger@example.com')).toMatchObject({ status: 1 });
    const again = await AccessFixture.open(server, 'admin');
    expect(await again.session()).toMatchObject({ mustAddPasskey: true });
    await addPasskey(again);
    const events = await again.trail('access.user-changed');
    expect(events.map(({ data, actor }) => [data, actor.kind])).toContainEqual([
      expect.objectContaining({ changed: 'passkeys' }),
      'system',
    ]);
  });
});

describe('own passkeys', () => {
  test('are added, renamed, and removed, and every change is in the audit trail', async () => {
    const { added } = await addPasskey(operator);
    const { id } = added.passkey;
    await operator.done('passkeys.rename', { id, name: 'Work laptop' });
    expect(await listOf(operator)).toMatchObject({
      ...{ isAvailable: true, askedAt: 'portal', signsIn: false, recoveryCodesLeft: 10 },
      passkeys: [{ id, name: 'Work laptop', lastUsedAt: null }],
    });
    expect(await operator.done('passkeys.createRecoveryCodes')).toHaveLength(10);
    await operator.done('passkeys.remove', { id });
    expect(await listOf(operator)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    const auditor = await AccessFixture.open(server, 'auditor');
    const events = await auditor.trail('access.user-changed');
    const reasons = events
      .filter(({ actor }) => actor.name === 'operator@deviceportal.local')
      .map(({ data }) => data['reason']);
    expect(reasons).toEqual([
      'a passkey was removed',
      'new recovery codes were created',
      'a passkey was renamed',
      'a passkey was added',
    ]);
  });

  test('an attacker with an older session cannot add or remove one, nor create recovery codes', async () => {
    const support = await AccessFixture.open(server, 'support');
    const { id } = (await addPasskey(support)).added.passkey;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + PASSKEY_CHANGE_MS });
    try {
      for (const [path, input] of [
        ['passkeys.begin', undefined],
        ['passkeys.add', { credential: {} }],
        ['passkeys.remove', { id }],
        ['passkeys.createRecoveryCodes', undefined],
        ['passkeys.setSignIn', { signsIn: true }],
      ] as const) {
        expect(await support.order(path, input)).toMatchObject({ code: 1000 });
      }
    } finally {
      vi.useRealTimers();
    }
    expect((await listOf(support)).passkeys).toHaveLength(1);
  });

  test('an attacker cannot rename or remove a passkey of another user', async () => {
    const viewer = await AccessFixture.open(server, 'viewer');
    const { added } = await addPasskey(operator);
    const { id } = added.passkey;
    expect(await viewer.order('passkeys.remove', { id })).toMatchObject({ code: 2003 });
    expect(await viewer.order('passkeys.rename', { id, name: 'x' })).toMatchObject({ code: 2003 });
    await operator.done('passkeys.remove', { id });
  });

  test('the passkey signs in at the embedded user pool when its owner allows it', async () => {
    const { authenticator, added } = await addPasskey(operator);
    await operator.done('passkeys.setSignIn', { signsIn: true });
    const begun = await askPool<{ Session: string; ChallengeParameters: Record<string, string> }>(
      server.url,
      'InitiateAuth',
      {
        ...{ AuthFlow: 'USER_AUTH', ClientId: 'deviceportalweb' },
        AuthParameters: { USERNAME: '*', PREFERRED_CHALLENGE: 'WEB_AUTHN' },
      },
    );
    const options = begun.ChallengeParameters['CREDENTIAL_REQUEST_OPTIONS'] ?? '';
    const credential = authenticator.get(JSON.parse(options));
    const signedIn = await askPool<{ AuthenticationResult: object }>(
      server.url,
      'RespondToAuthChallenge',
      {
        ...{ ChallengeName: 'WEB_AUTHN', ClientId: 'deviceportalweb', Session: begun.Session },
        ChallengeResponses: { USERNAME: '*', CREDENTIAL: JSON.stringify(credential) },
      },
    );
    expect(signedIn.AuthenticationResult).toBeDefined();
    await operator.done('passkeys.remove', { id: added.passkey.id });
  });
});
