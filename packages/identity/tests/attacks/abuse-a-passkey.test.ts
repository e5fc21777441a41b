import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseAccount } from '../../src/accounts/erase-account.ts';
import { MOST_OPEN_CHALLENGES } from '../../src/passkeys/passkey-challenges.ts';
import {
  CHALLENGE_LIFE_MS,
  MOST_PASSKEYS,
  type PasskeyCaller,
  type Passkeys,
} from '../../src/passkeys/passkeys.ts';
import { startIdentityServer, type IdentityServer } from '../support/identity-server.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../support/software-authenticator.ts';

const ORIGIN = 'https://portal.example';
const origin = { address: '192.0.2.1' };

let server: IdentityServer;
let passkeys: Passkeys;
let anna: PasskeyCaller;
let mallory: PasskeyCaller;
let authenticator: SoftwareAuthenticator;
let recoveryCodes: readonly string[] = [];
let people = 0;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: { issuer: `${ORIGIN}/identity/us-east-1_DevicePortal` },
  });
  ({ passkeys } = server.service);
});
afterAll(() => server[Symbol.asyncDispose]());

async function person(): Promise<PasskeyCaller> {
  people += 1;
  const username = `person-${people}`;
  const { sub } = await server.service.users.createUser({
    ...{ username, name: username, email: `${username}@corp.example` },
  });
  const contact = { channel: 'email', to: `${username}@corp.example` } as const;
  const account = { locale: undefined, timeZone: undefined, contact };
  return { ...origin, owner: { id: sub, username, ...account } };
}

async function register(caller: PasskeyCaller, device: SoftwareAuthenticator) {
  const options = await passkeys.beginRegistration(caller, { name: 'a', displayName: 'A' });
  return passkeys.finishRegistration(caller, device.create(options));
}

beforeEach(async () => {
  [anna, mallory] = [await person(), await person()];
  authenticator = createSoftwareAuthenticator(ORIGIN);
  recoveryCodes = (await register(anna, authenticator)).recoveryCodes ?? [];
});

const begin = (caller = anna) => passkeys.beginAssertion(caller.owner.id, 'step-up');
const finish = (response: object, caller = anna) =>
  passkeys.finishAssertion(caller, 'step-up', response);
const rejects = (work: Promise<unknown>, refusal: string) =>
  expect(work).rejects.toMatchObject({ refusal });

test('a signature of the own passkey is accepted', async () => {
  const assertion = await finish(authenticator.get(await begin()));
  expect(assertion).toMatchObject({ ownerId: anna.owner.id, signsIn: false });
  const { passkeys: listed } = await passkeys.overview(anna.owner.id);
  expect(listed).toMatchObject([{ isSynced: true, isBackedUp: true }]);
  expect(listed[0]?.lastUsedAt).not.toBeNull();
});

describe('challenges', () => {
  test('an attacker cannot replay a response', async () => {
    const response = authenticator.get(await begin());
    await finish(response);
    await rejects(finish(response), 'challengeEnded');
  });

  test('of concurrent uses of one response, one is accepted', async () => {
    const response = authenticator.get(await begin());
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => finish(response)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('an attacker cannot use a challenge that the server did not issue, or an expired one', async () => {
    const options = await begin();
    await rejects(
      finish(authenticator.get({ ...options, challenge: 'AAAAAAAAAAAAAAAAAAAAAA' })),
      'challengeEnded',
    );
    server.clock.advance(CHALLENGE_LIFE_MS);
    await rejects(finish(authenticator.get(options)), 'challengeEnded');
  });

  test('a challenge is valid for its account only', async () => {
    const device = createSoftwareAuthenticator(ORIGIN);
    await register(mallory, device);
    await rejects(finish(device.get(await begin()), mallory), 'challengeEnded');
  });

  test('a challenge is valid for its purpose only', async () => {
    const secondStep = await passkeys.beginAssertion(anna.owner.id, 'second-step');
    await rejects(finish(authenticator.get(secondStep)), 'challengeEnded');
    const signIn = await passkeys.beginSignIn('192.0.2.1');
    await rejects(finish(authenticator.get(signIn)), 'challengeEnded');
    await rejects(
      passkeys.finishSignIn(origin, authenticator.get(await begin())),
      'challengeEnded',
    );
    const registration = await passkeys.beginRegistration(anna, { name: 'a', displayName: 'A' });
    await rejects(
      finish(authenticator.get({ ...(await begin()), challenge: registration.challenge })),
      'challengeEnded',
    );
  });

  test('an attacker cannot fill the disk with challenges of one account', async () => {
    await Promise.all(Array.from({ length: 40 }, () => begin()));
    const { rows } = await server.pool.query<{ count: number }>(
      'select count(*)::int as count from identity.passkey_challenge where owner_id = $1',
      [anna.owner.id],
    );
    expect(rows[0]?.count).toBe(MOST_OPEN_CHALLENGES);
  });

  test('an attacker cannot fill the disk with sign-ins from one address', async () => {
    for (let begun = 0; begun < 60; begun += 1) await passkeys.beginSignIn('198.51.100.7');
    await rejects(passkeys.beginSignIn('198.51.100.7'), 'tooManyRequests');
    server.clock.advance(2 * 86_400_000);
    await server.service.deleteExpired();
    const { rows } = await server.pool.query('select 1 from identity.passkey_challenge');
    expect(rows).toEqual([]);
  });
});

describe('signatures', () => {
  test.each([
    ['another website', { origin: 'https://portal.example.evil' }],
    ['another port', { origin: 'https://portal.example:8443' }],
    ['plain http', { origin: 'http://portal.example' }],
    ['another RP ID', { rpId: 'evil.example' }],
    ['an unverified user', { isVerified: false }],
    ['a foreign user handle', { userHandle: 'AAAA' }],
  ])('a signature from %s is rejected', async (_what, deviation) => {
    await rejects(finish(authenticator.get(await begin(), deviation)), 'notVerified');
  });

  test('an altered signature is rejected', async () => {
    const other = createSoftwareAuthenticator(ORIGIN);
    await register(anna, other);
    const response = { ...other.get(await begin()), id: authenticator.credentialId };
    await rejects(finish({ ...response, rawId: authenticator.credentialId }), 'notVerified');
  });

  test('a copied authenticator is detected by its counter and recorded', async () => {
    await finish(authenticator.get(await begin(), { signCount: 9 }));
    await rejects(finish(authenticator.get(await begin(), { signCount: 9 })), 'signCountRegressed');
    await rejects(finish(authenticator.get(await begin(), { signCount: 0 })), 'signCountRegressed');
    expect(server.events.at(-1)).toMatchObject({
      ...{ kind: 'signInRefused', sub: anna.owner.id, detail: 'passkey: signCountRegressed' },
    });
  });

  test('an authenticator that does not count is accepted again and again', async () => {
    await finish(authenticator.get(await begin(), { signCount: 0 }));
    await finish(authenticator.get(await begin(), { signCount: 0 }));
  });

  test('a passkey of another account is rejected', async () => {
    await rejects(passkeys.beginAssertion(mallory.owner.id, 'step-up'), 'unknownPasskey');
    await register(mallory, createSoftwareAuthenticator(ORIGIN));
    await rejects(finish(authenticator.get(await begin(mallory)), mallory), 'unknownPasskey');
  });

  test('a removed passkey and one of a removed account are rejected', async () => {
    const options = await begin();
    const [first] = (await passkeys.overview(anna.owner.id)).passkeys;
    await rejects(passkeys.remove(mallory, first?.id ?? ''), 'unknownPasskey');
    await passkeys.remove(anna, first?.id ?? '');
    await rejects(finish(authenticator.get(options)), 'unknownPasskey');
    const device = createSoftwareAuthenticator(ORIGIN);
    await register(mallory, device);
    const signIn = await passkeys.beginSignIn('203.0.113.1');
    await eraseAccount(server.pool, mallory.owner.id, []);
    await rejects(passkeys.finishSignIn(origin, device.get(signIn)), 'unknownPasskey');
  });

  test.each([undefined, null, 'x', 7, [], {}, { id: 'a' }, { id: 'x'.repeat(100_000) }])(
    'a malformed response is rejected: %j',
    async (response) => {
      await rejects(finish(response as object), 'notVerified');
      await rejects(passkeys.finishRegistration(anna, response), 'notVerified');
    },
  );
});

describe('registration', () => {
  const start = (caller = anna) =>
    passkeys.beginRegistration(caller, { name: 'a', displayName: 'A' });

  test.each([
    ['an algorithm that was not requested', { algorithm: -35 as const }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another RP ID', { rpId: 'evil.example' }],
    ['an unverified user', { isVerified: false }],
  ])('a passkey with %s is rejected', async (_what, deviation) => {
    const device = createSoftwareAuthenticator(ORIGIN);
    const response = device.create(await start(), deviation);
    await rejects(passkeys.finishRegistration(anna, response), 'notVerified');
  });

  test('a registration challenge is used once and for its account', async () => {
    const options = await start();
    const device = createSoftwareAuthenticator(ORIGIN);
    await passkeys.finishRegistration(anna, device.create(options));
    const again = createSoftwareAuthenticator(ORIGIN).create(options);
    await rejects(passkeys.finishRegistration(anna, again), 'challengeEnded');
    const other = createSoftwareAuthenticator(ORIGIN).create(await start());
    await rejects(passkeys.finishRegistration(mallory, other), 'challengeEnded');
  });

  test('an attacker cannot register the passkey of another account', async () => {
    const response = authenticator.create(await start(mallory));
    await rejects(passkeys.finishRegistration(mallory, response), 'alreadyRegistered');
  });

  test('an account has a limited number of passkeys, also with concurrent registrations', async () => {
    const begun = await Promise.all(Array.from({ length: MOST_OPEN_CHALLENGES }, () => start()));
    for (let added = 1; added < MOST_PASSKEYS - 2; added += 1) {
      await server.pool.query(
        `insert into identity.passkey select 'copy ' || $1, owner_id, 'copy ' || $2 || $1, public_key, 0,
           transports, aaguid, false, false, name, created_at, null
           from identity.passkey where owner_id = $2 limit 1`,
        [String(added), anna.owner.id],
      );
    }
    const all = await Promise.allSettled(
      begun.map((options) =>
        passkeys.finishRegistration(anna, createSoftwareAuthenticator(ORIGIN).create(options)),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await rejects(start(), 'tooManyPasskeys');
  });

  test('adding and removing are recorded', async () => {
    const added = await register(anna, createSoftwareAuthenticator(ORIGIN));
    await passkeys.rename(anna, added.passkey.id, 'Work laptop');
    await passkeys.remove(anna, added.passkey.id);
    const changes = server.events.filter(({ sub }) => sub === anna.owner.id);
    expect(changes.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'accountChanged: a passkey was added',
      'accountChanged: a passkey was added',
      'accountChanged: a passkey was renamed',
      'accountChanged: a passkey was removed',
    ]);
  });
});

describe('recovery codes', () => {
  test('a code is used once, whatever its case and spaces', async () => {
    const [code = ''] = recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    await passkeys.useRecoveryCode(anna, ` ${code.toUpperCase().replaceAll('-', ' ')} `);
    await rejects(passkeys.useRecoveryCode(anna, code), 'wrongRecoveryCode');
    expect(await passkeys.overview(anna.owner.id)).toMatchObject({ recoveryCodesLeft: 9 });
  });

  test('of concurrent uses of one code, one is accepted', async () => {
    const [code = ''] = recoveryCodes;
    const uses = Array.from({ length: 8 }, () => passkeys.useRecoveryCode(anna, code));
    const all = await Promise.allSettled(uses);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a code of another account or an earlier one is rejected', async () => {
    const [code = ''] = recoveryCodes;
    await register(mallory, createSoftwareAuthenticator(ORIGIN));
    await rejects(passkeys.useRecoveryCode(mallory, code), 'wrongRecoveryCode');
    const [next = ''] = await passkeys.createRecoveryCodes(anna);
    await rejects(passkeys.useRecoveryCode(anna, code), 'wrongRecoveryCode');
    await passkeys.useRecoveryCode(anna, next);
  });

  test('an attacker cannot guess without limit', async () => {
    const [code = ''] = recoveryCodes;
    for (let tried = 0; tried < 10; tried += 1) {
      await rejects(passkeys.useRecoveryCode(anna, 'x'), 'wrongRecoveryCode');
    }
    await rejects(passkeys.useRecoveryCode(anna, code), 'tooManyRequests');
    server.clock.advance(15 * 60_000);
    const sql =
      'update identity.account_guess set wrong = 100, locked_at = now() where subject = $1';
    await server.pool.query(sql, [anna.owner.id]);
    await rejects(passkeys.useRecoveryCode(anna, code), 'wrongRecoveryCode');
    expect(await passkeys.overview(anna.owner.id)).toMatchObject({ recoveryCodesLeft: 10 });
  });

  test('the database has no code in clear text', async () => {
    const { rows } = await server.pool.query('select * from identity.passkey_recovery_code');
    const stored = JSON.stringify(rows);
    for (const code of recoveryCodes) expect(stored).not.toContain(code.slice(0, 9));
  });
});

test('a user who signs in elsewhere can confirm actions, and their passkey is deleted with their data', async () => {
  const outside = { ...anna, owner: { ...anna.owner, id: 'subject-of-a-hosted-pool' } };
  const device = createSoftwareAuthenticator(ORIGIN);
  await register(outside, device);
  await finish(device.get(await begin(outside)), outside);
  await eraseAccount(server.pool, outside.owner.id, []);
  expect(await passkeys.has(outside.owner.id)).toBe(false);
});
