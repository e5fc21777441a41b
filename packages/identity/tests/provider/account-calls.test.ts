import { newId } from '@deviceportal/contract/ids';
import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserChange } from '../../src/accounts/provider-user.ts';
import { isLeftOut } from './support/is-left-out.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { call, signIn } from './support/rest-calls.ts';

const PASSWORD = 'Correct horse 1';
let idp: OpenProvider;

beforeAll(async () => {
  idp = await openProvider();
});
afterAll(() => idp[Symbol.asyncDispose]());

/** The public package, signed in. */
async function clientOf(email: string, more: UserChange = {}) {
  await idp.makeUser({ email, password: PASSWORD, ...more });
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  const user = await client.loginByEmail(email, PASSWORD);
  return { client, user, token: user.token ?? '' };
}

describe('devices', () => {
  const device = { deviceUniqueId: 'browser-1', name: 'chrome/141', type: 'Browser', onLine: true };

  it('a device is stored once, and reports whether a user is signed in on it', async () => {
    const { token } = await signIn(idp, 'ada@example.com');
    for (const name of ['chrome/140', 'chrome/141']) {
      const body = { ...device, name, unknownField: 'left out' };
      expect((await call(idp, 'POST', '/api/v3/create-device', { body, token })).code).toBe(200);
    }
    const list = await call(idp, 'GET', '/api/v3/mydevices/list', { token });
    expect(list.data).toEqual([
      {
        device: { ...device, id: expect.any(String) },
        lastIp: '127.0.0.1',
        lastLoginTime: expect.any(String),
        online: true,
      },
    ]);
  });

  it('revoking ends only the sign-ins of that device, and unbinding also deletes it', async () => {
    const { user, token } = await signIn(idp, 'grace@example.com');
    const there = await idp.context.tokens.startSession(user, {
      ...{ appId: idp.appId, method: 'password', address: '127.0.0.1' },
    });
    const body = { ...device, deviceUniqueId: 'phone-1' };
    await call(idp, 'POST', '/api/v3/create-device', { body, token: there.token });
    const deviceId = 'phone-1';
    const revoked = { body: { deviceId }, token };
    expect((await call(idp, 'POST', '/api/v3/mydevices/revoke-session', revoked)).code).toBe(200);
    expect(await idp.context.tokens.verify(there.token)).toBeUndefined();
    expect(await idp.context.tokens.verify(token)).toBeDefined();
    const list = await call(idp, 'GET', '/api/v3/mydevices/list', { token });
    expect(list.data).toMatchObject([{ online: false }]);
    expect((await call(idp, 'POST', '/api/v3/mydevices/unbind', revoked)).code).toBe(200);
    expect((await call(idp, 'POST', '/api/v3/mydevices/unbind', revoked)).code).toBe(2701);
    expect((await call(idp, 'GET', '/api/v3/mydevices/list', { token })).data).toEqual([]);
  });

  it('a user cannot change devices of another user', async () => {
    const victim = await signIn(idp, 'victim@example.com');
    const body = { ...device, deviceUniqueId: 'secret-device' };
    await call(idp, 'POST', '/api/v3/create-device', { body, token: victim.token });
    const { token } = await signIn(idp, 'eve@example.com');
    const attack = { body: { deviceId: 'secret-device' }, token };
    expect((await call(idp, 'POST', '/api/v3/mydevices/revoke-session', attack)).code).toBe(2701);
    expect((await call(idp, 'POST', '/api/v3/mydevices/unbind', attack)).code).toBe(2701);
    expect(await idp.context.tokens.verify(victim.token)).toBeDefined();
  });
});

describe.skipIf(isLeftOut('realName'))('real names', () => {
  // Check digits as GB 11643, ISO/IEC 7812 and GB 32100 have them; the numbers are nobody's.
  const person = {
    type: 'P',
    name: '张三',
    idCard: '110101199003077774',
    bankCard: '6222020000000000000',
  };
  const company = {
    type: 'E',
    enterpriseName: '某公司',
    enterpriseCode: '91350100M000100Y43',
    legalPersonName: '李四',
  };

  it('a user authenticates a real name with the public package, once', async () => {
    const { client, user } = await clientOf('zhang@example.com');
    expect(await client.principal.detail()).toBeNull();
    expect(await client.principal.authenticate(person as never)).toBe(true);
    expect(await client.principal.detail()).toMatchObject({
      principalType: 'P',
      principalName: '张三',
      principalCode: '110***************',
      userId: user.id,
    });
    await expect(client.principal.authenticate(person as never)).rejects.toMatchObject({
      code: 2801,
    });
    const other = await clientOf('li@example.com');
    await expect(other.client.principal.authenticate(person as never)).rejects.toMatchObject({
      code: 2805,
    });
    expect(await other.client.principal.authenticate(company as never)).toBe(true);
  });

  it('a number with an incorrect check digit is rejected', async () => {
    const { client } = await clientOf('wang@example.com');
    const wrong = [
      [{ ...person, idCard: '110101199003077775' }, 2802],
      [{ ...person, idCard: '110101199002307778' }, 2802],
      [{ ...person, bankCard: '6222020000000000001' }, 2803],
      [{ ...company, enterpriseCode: '91350100M000100Y44' }, 2804],
    ] as const;
    for (const [proof, code] of wrong) {
      await expect(client.principal.authenticate(proof as never)).rejects.toMatchObject({ code });
    }
  });

  it('if two accounts submit one number concurrently, one gets it', async () => {
    const tokens = await Promise.all(
      ['one@example.com', 'two@example.com'].map(async (email) => (await signIn(idp, email)).token),
    );
    const body = { type: 'P', name: '赵六', idCard: '11010519491231002X', ext: person.bankCard };
    const answers = await Promise.all(
      tokens.map((token) =>
        call(idp, 'POST', '/api/v2/users/principal_authentication', { body, token }),
      ),
    );
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 2805]);
  });
});

describe('linked accounts', () => {
  async function withIdentity(email: string, connectionId: string, more: UserChange = {}) {
    const found = await signIn(idp, email, more);
    await idp.pool.query(
      `insert into identity.provider_identity (id, user_id, user_pool_id, ext_idp_id, connection_id,
         provider, type, is_social, openid, user_id_in_idp, created_at)
       values ($1, $2, 'pool-1', 'idp-1', $3, $3, 'oauth', true, $1, $1, now())`,
      [newId(), found.user.id, connectionId],
    );
    return found;
  }
  const link = (primaryUserToken: string, secondaryUserToken: string) =>
    call(idp, 'POST', '/api/v2/users/link', { body: { primaryUserToken, secondaryUserToken } });
  const unlink = (primaryUserToken: string, provider: string) =>
    call(idp, 'POST', '/api/v2/users/unlink', { body: { primaryUserToken, provider } });

  it('an external account is moved, and its empty account is archived', async () => {
    const { client, token, user } = await clientOf('primary@example.com');
    const social = await withIdentity('social@example.com', 'github', { emailVerified: false });
    const answer = await client.linkAccount({
      primaryUserToken: token,
      secondaryUserToken: social.token,
    });
    expect(answer).toMatchObject({ code: 200 });
    const owners = await idp.pool.query<{ user_id: string }>(
      `select user_id from identity.provider_identity where connection_id = 'github'`,
    );
    expect(owners.rows).toEqual([{ user_id: user.id }]);
    expect(await idp.context.tokens.verify(social.token)).toBeUndefined();
    expect((await link(token, social.token)).code).toBe(2021);
    expect(
      await client.unLinkAccount({ primaryUserToken: token, provider: 'github' }),
    ).toMatchObject({
      code: 200,
    });
    expect((await unlink(token, 'github')).code).toBe(2904);
  });

  it('an account cannot be linked to itself, twice with one provider, or by removing its last way to sign in', async () => {
    const one = await withIdentity('l1@example.com', 'weibo', { emailVerified: false });
    const two = await withIdentity('l2@example.com', 'weibo');
    const bare = await signIn(idp, 'l3@example.com');
    expect((await link(one.token, one.token)).code).toBe(2901);
    expect((await link(one.token, two.token)).code).toBe(2903);
    expect((await link(one.token, bare.token)).code).toBe(2902);
    expect((await unlink(one.token, 'weibo')).code).toBe(2905);
    expect((await unlink(two.token, 'weibo')).code).toBe(200);
    expect((await link('x.y.z', two.token)).code).toBe(2021);
  });

  it('concurrent linking in both directions creates one link without a deadlock', async () => {
    const one = await withIdentity('r1@example.com', 'qq', { emailVerified: false });
    const two = await withIdentity('r2@example.com', 'lark', { emailVerified: false });
    const answers = await Promise.all([link(one.token, two.token), link(two.token, one.token)]);
    expect(answers.filter(({ code }) => code === 200).length).toBeGreaterThanOrEqual(1);
    const open = await Promise.all([one, two].map(({ token }) => idp.context.tokens.verify(token)));
    expect(open.filter((token) => token !== undefined)).toHaveLength(1);
  });
});

describe('the current user', () => {
  it('the security level counts the user’s sign-in methods', async () => {
    const { client } = await clientOf('level@example.com', { emailVerified: true });
    expect(await client.getSecurityLevel()).toEqual({
      ...{ email: true, phone: false, password: true, mfa: false },
      ...{ passwordSecurityLevel: 3, score: 50 },
    });
    const { token } = await signIn(idp, 'bare@example.com', { emailVerified: false });
    const bare = await call(idp, 'GET', '/api/v2/users/me/security-level', { token });
    expect(bare.data).toMatchObject({ passwordSecurityLevel: null, password: false, score: 0 });
  });

  it('allowed applications are paged', async () => {
    const { client } = await clientOf('apps@example.com');
    await idp.context.applications.save({
      ...{ appId: 'app-2', userPoolId: 'pool-1', name: 'Second', description: null, logo: null },
      ...{ secret: 'another secret of it', redirectUris: [], logoutRedirectUris: [] },
    });
    const first = await client.listApplications({ page: 1, limit: 1 });
    expect(first).toEqual({
      totalCount: 2,
      list: [
        { id: 'app-1', name: 'Device Portal', description: '', logo: '', domain: '127.0.0.1:9' },
      ],
    });
    expect(await client.listApplications({ page: 2, limit: 1 })).toMatchObject({
      totalCount: 2,
      list: [{ id: 'app-2' }],
    });
    const { token } = await signIn(idp, 'pages@example.com');
    for (const query of ['page=0', 'limit=1000', 'page=x']) {
      const path = `/api/v2/users/me/applications/allowed?${query}`;
      expect((await call(idp, 'GET', path, { token })).code).toBe(400);
    }
    expect(idp.failures).toEqual([]);
  });
});
