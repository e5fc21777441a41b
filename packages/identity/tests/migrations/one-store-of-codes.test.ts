import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { refusals } from '../../src/provider/wire/refusals.ts';
import { codeMetadata } from '../../src/cognito/triggers/code-metadata.ts';
import { callService, EarlierInstallation } from './earlier-installation.ts';

const SUB = randomUUID();
let before: EarlierInstallation;

beforeEach(async () => {
  before = await EarlierInstallation.open('0021-one-store-of-keys.sql');
  await before.pool.query(
    `insert into identity.pool_user (sub, username, email, email_verified, created_at, modified_at)
     values ($1, 'anna', 'anna@corp.example', true, now(), now())`,
    [SUB],
  );
});
afterEach(() => before[Symbol.asyncDispose]());

it('a pending sign-in at the user pool completes with its earlier code, once', async () => {
  const codeId = randomUUID();
  await before.pool.query(
    `insert into identity.login_code
       (code_id, sub, subject_hash, code_hash, channel, tries_left, sent_at, expires_at)
     values ($1, $2, $3, $4, 'email', 2, now(), now() + interval '3 minutes')`,
    [codeId, SUB, before.hash('login-code-subject', SUB, ''), before.hash('login-code', codeId, '123456')],
  );
  await before.pool.query(
    `insert into identity.auth_session (session_hash, client_id, sub, username, identifier, challenge_name, rounds,
       challenge_metadata, private_parameters, created_at, expires_at)
     values ($1, 'deviceportalweb', $2, 'anna', 'anna', 'CUSTOM_CHALLENGE', '[]', $3, $4, now(), now() + interval '3 minutes')`,
    [before.hash('auth-session', 'a session that an earlier release began'), SUB, codeMetadata(codeId), { code: codeId }],
  );
  const { service } = await before.upgrade();
  const answer = () =>
    callService(service, 'RespondToAuthChallenge', {
      ClientId: 'deviceportalweb',
      ChallengeName: 'CUSTOM_CHALLENGE',
      Session: 'a session that an earlier release began',
      ChallengeResponses: { USERNAME: 'anna', ANSWER: '123456' },
    });
  expect((await answer()).body).toHaveProperty('AuthenticationResult');
  await before.pool.query('update identity.auth_session set used_at = null');
  expect((await answer()).body).not.toHaveProperty('AuthenticationResult');
});

it('a code of the provider is valid for its purpose, with the remaining attempts', async () => {
  const insert = (purpose: string, triesLeft: number) =>
    before.pool.query(
      `insert into identity.provider_code (id, user_pool_id, channel, recipient, purpose, code_hash, tries_left, sent_at,
         expires_at) values ($1, 'pool-1', 'email', 'ada@example.com', $2, $3, $4, now(), now() + interval '3 minutes')`,
      [randomUUID(), purpose, before.hash('provider-code', 'pool-1', 'ada@example.com', '123456'), triesLeft],
    );
  await insert('login', 1);
  await insert('bind-email', 0);
  const { codes } = (await before.upgrade()).provider.context;
  const caller = { address: '127.0.0.1' } as Parameters<typeof codes.check>[1];
  const check = (purpose: 'login' | 'bind-email' | 'reset-password', code = '123456') =>
    codes.check({ to: 'Ada@example.com', purposes: [purpose], code }, caller);
  await expect(check('reset-password')).rejects.toMatchObject({ refusal: refusals.wrongCode });
  await expect(check('bind-email')).rejects.toMatchObject({ refusal: refusals.codeTriesUsed });
  await codes.spend(await check('login'));
  await expect(check('login')).rejects.toMatchObject({ refusal: refusals.wrongCode });
});
