import { constants, publicEncrypt } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

/** As clients send it: encrypted for the provider. */
let password: string;
let idp: OpenProvider;
const application = {
  id: 'app-1',
  secret: 'a secret of the application',
  redirectUris: ['http://127.0.0.1:9/callback'],
};
beforeEach(async () => {
  // Open for other applications: the portal's own stays closed all the same.
  idp = await openProvider({ application, registrationDomains: ['corp.example'] });
  const keys = (await (await fetch(`${idp.host}/api/v2/.well-known`)).json()) as {
    readonly data: { readonly publicKey: string };
  };
  const padding = constants.RSA_PKCS1_PADDING;
  const key = { key: keys.data.publicKey, padding };
  password = publicEncrypt(key, Buffer.from('Correct horse 1')).toString('base64');
});
afterEach(() => idp[Symbol.asyncDispose]());

async function call(path: string, body: object, appId = 'app-1'): Promise<number | undefined> {
  const reply = await fetch(`${idp.host}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authing-app-id': appId },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as {
    readonly code?: number;
    readonly errors?: readonly { readonly message: unknown }[];
  };
  const refusal = answer.errors?.[0]?.message as { readonly code?: number } | undefined;
  return refusal?.code ?? answer.code;
}

const graphql = (type: string, name: string, input: object, appId?: string) =>
  call(
    '/graphql/v2',
    {
      query: `mutation ($input: ${type}!) { ${name}(input: $input) { id } }`,
      variables: { input },
    },
    appId,
  );

async function people(): Promise<number> {
  const { rows } = await idp.pool.query<{ count: number }>(
    'select count(*)::int as count from identity.provider_user',
  );
  return rows[0]?.count ?? -1;
}

const email = 'stranger@example.com';

test('an attacker cannot become a user of the portal by any registration call', async () => {
  await graphql('RegisterByEmailInput', 'registerByEmail', { email, password });
  await graphql('RegisterByUsernameInput', 'registerByUsername', {
    username: 'stranger',
    password,
  });
  await graphql('LoginByEmailInput', 'loginByEmail', { email, password, autoRegister: true });
  await graphql('LoginByUsernameInput', 'loginByUsername', {
    ...{ username: 'stranger', password, autoRegister: true },
  });
  await call('/api/v2/sms/send', { phone: '13800000000', scene: 'register' });
  await graphql('RegisterByPhoneCodeInput', 'registerByPhoneCode', {
    ...{ phone: '13800000000', code: '000000' },
  });
  await call('/api/v2/register/email-code', { email, code: '000000' });
  expect(await people()).toBe(0);
  expect(idp.messages).toEqual([]);
});

test('an attacker cannot register with an unverified address of an allowed domain', async () => {
  const typed = 'boss@corp.example';
  await graphql('RegisterByEmailInput', 'registerByEmail', { email: typed, password });
  await graphql('LoginByEmailInput', 'loginByEmail', {
    email: typed,
    password,
    autoRegister: true,
  });
  for (const other of ['a@evil-corp.example', 'a@corp.example.evil.example', 'a@x.corp.example']) {
    await graphql('RegisterByEmailInput', 'registerByEmail', { email: other, password });
  }
  expect(await people()).toBe(0);
});

test('the owner of an address of an allowed domain registers with a code', async () => {
  const own = 'ada@corp.example';
  const query =
    'mutation ($email: String!) { sendEmail(email: $email, scene: REGISTER_VERIFY_CODE) { code } }';
  await call('/graphql/v2', { query, variables: { email: own } });
  expect(await call('/api/v2/register/email-code', { email: own, code: idp.codeFor(own) })).toBe(
    200,
  );
});

test('registration is a setting of each other application', async () => {
  const save = (appId: string, registration: 'open' | 'closed') =>
    idp.context.applications.save({
      ...{ appId, userPoolId: 'pool-1', name: appId, description: null, logo: null },
      ...{ secret: 'another secret 1', redirectUris: [], logoutRedirectUris: [], registration },
    });
  await save('shop', 'open');
  await save('desk', 'closed');
  await graphql('RegisterByEmailInput', 'registerByEmail', { email, password }, 'desk');
  expect(await people()).toBe(0);
  await graphql('RegisterByEmailInput', 'registerByEmail', { email, password }, 'shop');
  expect(await people()).toBe(1);
});
