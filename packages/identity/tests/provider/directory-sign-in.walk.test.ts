import fastCheck from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createIdentityClient,
  loginByAd,
  loginByLdap,
  type User,
} from '../../../identity-client/src/index.ts';
import {
  BASE,
  SERVICE,
  hasDirectory,
  openDirectory,
  type Directory,
} from './support/open-directory.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const ANNA = {
  uid: 'anna',
  mail: 'anna@corp.example',
  displayName: 'Anna Nowak',
  givenName: 'Anna',
};
const PASSWORD = 'Anna’s own password 1';

let directory: Directory;
let open: OpenProvider;

const shared = () => ({
  url: directory.url,
  bindDn: SERVICE.dn,
  bindPassword: SERVICE.password,
  baseDn: BASE,
  timeoutMs: 5_000,
});

const client = (lang: 'zh-CN' | 'en-US' = 'en-US') =>
  createIdentityClient({ appId: open.appId, appHost: open.host, websocketHost: open.host, lang });
const ldap = (username: string, password: string): Promise<User> =>
  loginByLdap(client(), { username, password });

if (!hasDirectory) {
  process.stdout.write(
    'Skipped: the tests of signing in with a directory need the program slapd.\n',
  );
}

describe.skipIf(!hasDirectory)('signing in with a directory', () => {
  beforeAll(async () => {
    directory = await openDirectory();
    await directory.add('anna', { ...ANNA, userPassword: PASSWORD });
    await directory.add('boris', {
      sAMAccountName: 'BORIS',
      userPrincipalName: 'boris@corp.example',
      objectGUID: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
      userPassword: 'Boris’s password 1',
    });
  });
  afterAll(() => directory[Symbol.asyncDispose]());
  beforeEach(async () => {
    open = await openProvider({
      connections: [
        { protocol: 'ldap', identifier: 'corp-ldap', displayName: 'Corp', ...shared() },
        { protocol: 'ad', identifier: 'corp-ad', displayName: 'Corp AD', ...shared() },
      ],
    });
    return () => open[Symbol.asyncDispose]();
  });

  test('the first sign-in creates an account from the directory, and later ones find it', async () => {
    const first = await ldap('anna', PASSWORD);
    expect(first).toMatchObject({
      email: 'anna@corp.example',
      name: 'Anna Nowak',
      nickname: 'Anna',
      loginsCount: 1,
      registerSource: ['ldap:corp-ldap'],
    });
    expect(first.token).toMatch(/^eyJ/);
    const again = await ldap('ANNA@corp.example', PASSWORD);
    expect(again).toMatchObject({ id: first.id, loginsCount: 2 });
    expect(open.events.filter(({ kind }) => kind === 'signedIn')).toMatchObject([
      { sub: first.id, detail: 'ldap:corp-ldap' },
      { sub: first.id, detail: 'ldap:corp-ldap' },
    ]);
  });

  test('an incorrect password and an unknown name cause the same message, and are recorded', async () => {
    const refusals = await Promise.all(
      [
        ['anna', 'wrong'],
        ['nobody', PASSWORD],
      ].map(([name = '', password = '']) => ldap(name, password).catch((error: unknown) => error)),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 2333, message: 'Incorrect account or password' });
    }
    expect(open.events.map(({ kind }) => kind)).toEqual(['signInRefused', 'signInRefused']);
    expect(JSON.stringify(open.events)).not.toContain(PASSWORD);
  });

  test('an empty password is rejected, although the directory accepts such a bind', async () => {
    const reply = await fetch(`${open.host}/api/v2/ldap/verify-user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-authing-lang': 'en-US' },
      body: JSON.stringify({ username: 'anna', password: '' }),
    });
    expect(await reply.json()).toMatchObject({ code: 400 });
  });

  test('[provider-directory-4] an entered name is never part of the filter', async () => {
    const unlimited = await openProvider({
      limits: 'off',
      connections: [{ protocol: 'ldap', identifier: 'l', displayName: 'L', ...shared() }],
    });
    const own = createIdentityClient({ appId: unlimited.appId, appHost: unlimited.host });
    const hostile = ['*', 'an*', 'anna)(uid=*', '*)(objectClass=*', 'anna\\2a', '\u0000', '(', ')'];
    const names = fastCheck.oneof(
      fastCheck.constantFrom(...hostile),
      fastCheck
        .string({ minLength: 1, maxLength: 40 })
        .filter((name) => name.trim().toLowerCase() !== 'anna' && name.trim() !== ''),
    );
    await fastCheck.assert(
      fastCheck.asyncProperty(names, async (username) => {
        const refused = loginByLdap(own, { username, password: PASSWORD });
        await expect(refused).rejects.toMatchObject({ code: 2333 });
      }),
      { numRuns: 40, examples: hostile.map((name): [string] => [name]) },
    );
    await unlimited[Symbol.asyncDispose]();
  });

  test('a changed password takes effect immediately, and the account stays the same', async () => {
    await directory.add('vera', { uid: 'vera', userPassword: 'first password 1' });
    const before = await ldap('vera', 'first password 1');
    await directory.setPassword('vera', 'second password 2');
    await expect(ldap('vera', 'first password 1')).rejects.toMatchObject({ code: 2333 });
    expect((await ldap('vera', 'second password 2')).id).toBe(before.id);
  });

  test('an Active Directory user is identified by a permanent ID, under both names', async () => {
    const login = (username: string) =>
      loginByAd(client(), { username, password: 'Boris’s password 1' });
    const first = await login('boris');
    expect((await login('boris@corp.example')).id).toBe(first.id);
    const { rows } = await open.pool.query('select * from identity.provider_identity');
    expect(rows).toMatchObject([
      {
        user_id: first.id,
        connection_id: 'corp-ad',
        type: 'ad',
        user_id_in_idp: '00112233445566778899aabbccddeeff',
      },
    ]);
  });

  test('guessing is limited, regardless of what is guessed', async () => {
    const answers: unknown[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      answers.push(await ldap('anna', `guess ${attempt}`).catch((error: unknown) => error));
    }
    expect(answers.at(-1)).toMatchObject({ code: 429 });
    await expect(ldap('anna', PASSWORD)).rejects.toMatchObject({ code: 429 });
    open.clock.advance(15 * 60_000 + 1_000);
    expect((await ldap('anna', PASSWORD)).email).toBe('anna@corp.example');
  });

  test('two concurrent first sign-ins create one account', async () => {
    const users = await Promise.all([1, 2, 3, 4].map(() => ldap('anna', PASSWORD)));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  test('an existing address is not taken over', async () => {
    const owner = await open.makeUser({ email: 'anna@corp.example', password: 'Other password 1' });
    await expect(ldap('anna', PASSWORD)).rejects.toMatchObject({ code: 2306 });
    expect((await open.context.users.find(owner.id))?.loginsCount).toBe(0);
  });

  test('an unavailable directory is reported, without its own message', async () => {
    const away = await openProvider({
      connections: [
        {
          protocol: 'ldap',
          identifier: 'away',
          displayName: 'Away',
          ...shared(),
          url: 'ldap://127.0.0.1:9',
        },
      ],
    });
    const own = createIdentityClient({ appId: away.appId, appHost: away.host, lang: 'zh-CN' });
    await expect(loginByLdap(own, { username: 'anna', password: PASSWORD })).rejects.toMatchObject({
      code: 2304,
      message: '无法连接外部身份源，请稍后重试',
    });
    expect(String(away.failures[0])).toMatch(/ECONNREFUSED|connect/i);
    await away[Symbol.asyncDispose]();
  });

  test('without a directory, the call reports it', async () => {
    const none = await openProvider();
    const own = createIdentityClient({ appId: none.appId, appHost: none.host, lang: 'en-US' });
    await expect(loginByLdap(own, { username: 'anna', password: PASSWORD })).rejects.toMatchObject({
      code: 2300,
    });
    await none[Symbol.asyncDispose]();
  });
});
