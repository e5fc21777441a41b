import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusals } from '../../src/provider/wire/refusals.ts';
import { hashPassword } from '../../src/passwords/hash-password.ts';
import { callService, EarlierInstallation } from './earlier-installation.ts';

const SUB = randomUUID();
let before: EarlierInstallation;

beforeEach(async () => {
  before = await EarlierInstallation.open('0023-one-store-of-access-keys.sql');
});
afterEach(() => before[Symbol.asyncDispose]());

describe('accounts of a release with a table for each protocol', () => {
  it('a pool user is found by each name, with groups and an open session', async () => {
    const refreshToken = 'a refresh token that an earlier release gave';
    await before.pool.query(
      `insert into identity.pool_user (sub, username, email, email_verified, phone_number, name, standard_attributes,
         custom_attributes, enabled, status, created_at, modified_at)
       values ($1, 'Anna', 'Anna@corp.example', true, '+48123456789', 'Anna', '{"given_name":"A"}', '{"team":"x"}', true,
         'CONFIRMED', '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z')`,
      [SUB],
    );
    await before.pool.query(
      `insert into identity.user_group (name, created_at, modified_at) values ('Support', now(), now())`,
    );
    await before.pool.query(
      `insert into identity.group_membership (sub, group_name, created_at) values ($1, 'Support', now())`,
      [SUB],
    );
    await before.pool.query(
      `insert into identity.refresh_token (token_hash, origin_jti, client_id, sub, event_id, auth_time, expires_at)
       values ($1, $2, 'deviceportalweb', $3, $4, now(), now() + interval '1 day')`,
      [before.hash('refresh-token', refreshToken), randomUUID(), SUB, randomUUID()],
    );
    const { service } = await before.upgrade();
    expect(await service.users.getUser(SUB)).toMatchObject({
      ...{ sub: SUB, username: 'Anna', email: 'Anna@corp.example', emailVerified: true },
      ...{ phoneNumber: '+48123456789', phoneNumberVerified: false, name: 'Anna', enabled: true },
      ...{ standardAttributes: { given_name: 'A' }, customAttributes: { team: 'x' } },
      ...{ createdAt: new Date('2030-01-01'), modifiedAt: new Date('2030-01-02') },
    });
    expect(await service.groups.listGroupsOfUser(SUB)).toEqual(['Support']);
    for (const USERNAME of ['anna', 'anna@CORP.example', '+48123456789']) {
      const input = {
        ...{ ClientId: 'deviceportalweb', AuthFlow: 'CUSTOM_AUTH' },
        AuthParameters: { USERNAME },
      };
      expect((await callService(service, 'InitiateAuth', input)).body).toMatchObject({
        ChallengeParameters: { USERNAME: 'Anna' },
      });
      await before.pool.query('delete from identity.rate_limit');
    }
    const refresh = { ClientId: 'deviceportalweb', RefreshToken: refreshToken };
    const renewed = await callService(service, 'GetTokensFromRefreshToken', refresh);
    const { AccessToken } = renewed.body['AuthenticationResult'] as { AccessToken: string };
    expect(await callService(service, 'GetUser', { AccessToken })).toMatchObject({ status: 200 });
  });

  it('a provider user signs in with the password, and keeps identity, role, and subaccount', async () => {
    await before.pool.query(
      `insert into identity.provider_user (id, user_pool_id, username, email, email_verified, phone, phone_country_code,
         phone_e164, phone_verified, external_id, password_hash, password_level, profile, logins_count, created_at,
         modified_at)
       values ('ada', 'pool-1', 'Ada', 'Ada@example.com', true, '13800000000', '+86', '+8613800000000', true, 'ext-1',
         $1, 3, '{"name":"Ada"}', 7, '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z')`,
      [await hashPassword('Passw0rd-123', 8)],
    );
    await before.pool.query(`
      insert into identity.provider_user (id, user_pool_id, parent_user_id, sub_account, created_at, modified_at)
      values ('sub', 'pool-1', 'ada', 'Till', now(), now());
      insert into identity.provider_user (id, user_pool_id, email, created_at, modified_at)
      values ('other', 'pool-2', 'ada@example.com', now(), now())`);
    const { provider } = await before.upgrade();
    const { passwords, users } = provider.context;
    const ada = await users.findBy('email', 'ada@EXAMPLE.com');
    expect(ada).toMatchObject({
      ...{ id: 'ada', userPoolId: 'pool-1', username: 'Ada', emailVerified: true },
      ...{ phone: '13800000000', phoneE164: '+8613800000000', phoneVerified: true },
      ...{ externalId: 'ext-1', loginsCount: 7, profile: { name: 'Ada' } },
      ...{ createdAt: new Date('2030-01-01'), modifiedAt: new Date('2030-01-02') },
    });
    expect(await passwords.matches('Passw0rd-123', ada?.passwordHash ?? null)).toBe(true);
    const ways = [
      ['username', 'ADA'],
      ['phone', '+8613800000000'],
      ['nationalPhone', '13800000000'],
      ['externalId', 'ext-1'],
    ] as const;
    for (const [key, value] of ways) {
      expect(await users.findBy(key, value)).toMatchObject({ id: 'ada' });
    }
    expect(await users.findBy('subAccount', 'till')).toMatchObject({ id: 'sub', parentUserId: 'ada' });
    await expect(users.create({ email: 'ADA@example.com' })).rejects.toMatchObject({
      refusal: refusals.userExists,
    });
  });
});
