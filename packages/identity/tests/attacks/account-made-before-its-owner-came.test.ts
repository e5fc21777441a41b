import { constants, publicEncrypt } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import { admitOutsidePerson } from '../../src/connections/admit-outside-person.ts';
import { createBrowser } from '../provider/support/browser.ts';
import { ADA, openTwoProviders, type TwoProviders } from '../provider/support/open-upstreams.ts';
import { REDIRECT_URI } from '../provider/support/open-provider.ts';
import { createPhone, scanPicture } from '../provider/support/phone.ts';
import { call } from '../provider/support/rest-calls.ts';

/** Registration is open here, and addresses that the other provider calls verified lead to the account with them. */
let providers: TwoProviders;
beforeEach(async () => {
  providers = await openTwoProviders();
});
afterEach(() => providers[Symbol.asyncDispose]());

const SQUATTERS = 'Password of a squatter 1';

interface Answer {
  readonly data?: Readonly<Record<string, { readonly id: string; readonly token?: string } | null>>;
  readonly errors?: readonly { readonly message: { readonly code: number } }[];
}

async function mutate(name: string, type: string, input: object): Promise<Answer> {
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { id token } }`;
  const reply = await fetch(`${providers.idp.host}/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-authing-app-id': providers.idp.appId },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return (await reply.json()) as Answer;
}

async function sealed(password: string): Promise<string> {
  const reply = await fetch(`${providers.idp.host}/api/v2/.well-known`);
  const { data } = (await reply.json()) as { readonly data: { readonly publicKey: string } };
  const key = { key: data.publicKey, padding: constants.RSA_PKCS1_PADDING };
  return publicEncrypt(key, Buffer.from(password)).toString('base64');
}

/** Somebody registers with an address of somebody else, which they cannot prove, and is signed in. */
async function squat(): Promise<{ readonly id: string; readonly token: string }> {
  const input = { email: ADA.email, password: await sealed(SQUATTERS), forceLogin: true };
  const { data } = await mutate('registerByEmail', 'RegisterByEmailInput', input);
  const { id = '', token = '' } = data?.['registerByEmail'] ?? {};
  return { id, token };
}

/** The owner signs in with her account at the other provider. @returns her account here */
async function ownerSignsIn(): Promise<string> {
  const { idp } = providers;
  const browser = createBrowser(REDIRECT_URI);
  const start = `${idp.host}/connections/social/buddies?app_id=${idp.appId}&uuid=u-1`;
  const page = await browser.open(start);
  const form = await browser.open(`${page.url.origin}${page.url.pathname}?way=password`);
  const end = await browser.submit(form, 'password', {
    ...{ account: ADA.email, password: ADA.password },
  });
  const [, message = '{}'] = /postMessage\((\{.*\}),origin\)/.exec(end.body) ?? [];
  return (JSON.parse(message) as { data: { id: string } }).data.id;
}

test('an attacker who registers with an address before its owner has no access to the owner’s account', async () => {
  const { idp } = providers;
  const squatter = await squat();
  expect(await idp.context.tokens.verify(squatter.token)).toBeDefined();
  const owner = await ownerSignsIn();
  const input = { email: ADA.email, password: await sealed(SQUATTERS) };
  const { data } = await mutate('loginByEmail', 'LoginByEmailInput', input);
  expect(data?.['loginByEmail']?.id).not.toBe(owner);
  const still = await idp.context.tokens.verify(squatter.token);
  expect(still?.userId).not.toBe(owner);
});

const post = (path: string, body: object, token: string) =>
  call(providers.idp, 'POST', `/api/v2/mfa/totp/${path}`, { body, token });

/** The squatter sets up an app, and holds the token of a sign-in whose second step is missing. */
async function setUpApp(token: string): Promise<{ totp(): Promise<string>; mfaToken: string }> {
  const { idp } = providers;
  const { data } = await post('associate', {}, token);
  const { secret } = data as { readonly secret: string };
  const totp = () => generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
  await post('associate/confirm', { totp: await totp() }, token);
  idp.clock.advance(30_000);
  const input = { email: ADA.email, password: await sealed(SQUATTERS) };
  const answer = await mutate('loginByEmail', 'LoginByEmailInput', input);
  const message = answer.errors?.[0]?.message as { readonly data?: { readonly mfaToken?: string } };
  return { totp, mfaToken: message.data?.mfaToken ?? 'none' };
}

async function expectNothingLeft(userId: string): Promise<void> {
  for (const table of ['provider_totp', 'provider_face', 'provider_ticket', 'provider_principal']) {
    const left = await providers.idp.pool.query(
      `select from identity.${table} where user_id = $1`,
      [userId],
    );
    expect([table, left.rowCount]).toEqual([table, 0]);
  }
}

test('neither the app nor the face of the attacker locks the owner out or gives the attacker access', async () => {
  const { idp } = providers;
  const squatter = await squat();
  const app = await setUpApp(squatter.token);
  expect(app.mfaToken).not.toBe('none');
  await idp.pool.query(
    `insert into identity.provider_face (user_id, descriptor_box, created_at) values ($1, 'x', now())`,
    [squatter.id],
  );
  expect(await ownerSignsIn()).toBe(squatter.id);
  await expectNothingLeft(squatter.id);
  expect(await post('verify', { totp: await app.totp() }, app.mfaToken)).not.toMatchObject({
    code: 200,
  });
});

test('the attacker has no access after the owner has set a new password with a code', async () => {
  const { idp } = providers;
  const squatter = await squat();
  const app = await setUpApp(squatter.token);
  const owner = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  await owner.sendEmail(ADA.email, 'RESET_PASSWORD' as never);
  const code = idp.codeFor(ADA.email);
  await owner.resetPasswordByEmailCode(ADA.email, code, 'Password of the owner');
  await expectNothingLeft(squatter.id);
  expect(await post('verify', { totp: await app.totp() }, app.mfaToken)).not.toMatchObject({
    code: 200,
  });
  const signedIn = await owner.loginByEmail(ADA.email, 'Password of the owner');
  expect(signedIn).toMatchObject({ email: ADA.email, emailVerified: true });
});

test('an owner whose external sign-in is blocked by the attacker’s address is shown how to sign in, and can', async () => {
  const { idp } = providers;
  const squatter = await squat();
  const person = { subject: 'ada', email: ADA.email, emailVerified: true };
  const untrusted = idp.provider.settings.connections.map((connection) => ({
    ...connection,
    ...{ trustsEmail: false, createsUsers: true },
  }))[0];
  if (untrusted === undefined) throw new Error('no connection');
  await expect(admitOutsidePerson(idp.context, untrusted, person)).rejects.toMatchObject({
    refusal: {
      code: 2306,
      en: expect.stringContaining('with a code that is sent to this address'),
    },
  });
  const owner = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  await owner.sendEmail(ADA.email, 'LOGIN_VERIFY_CODE' as never);
  const signedIn = await owner.loginByEmailCode(ADA.email, idp.codeFor(ADA.email));
  expect(signedIn).toMatchObject({ email: ADA.email, emailVerified: true });
  expect(await idp.context.tokens.verify(squatter.token)).toBeUndefined();
});

test('an owner with another way to sign in keeps the account, without the address', async () => {
  const { idp } = providers;
  const { id } = await squat();
  const phone = idp.context.users.readPhone('13800000000');
  await idp.context.users.update(id, { ...phone, phoneVerified: true });
  const owner = await ownerSignsIn();
  expect(owner).not.toBe(id);
  expect(await idp.context.users.find(id)).toMatchObject({ email: null });
  expect(await idp.context.users.find(owner)).toMatchObject({
    ...{ email: ADA.email, emailVerified: true },
  });
});

test('a sign-in on the phone page does not give the owner the account of the attacker', async () => {
  const { idp } = providers;
  const squatter = await squat();
  const made = await call(idp, 'POST', '/api/v2/qrcode/gene', { body: { scene: 'APP_AUTH' } });
  const { url } = made.data as { readonly url: string };
  await createPhone(idp).signIn(await scanPicture(url), ADA.email);
  const input = { email: ADA.email, password: await sealed(SQUATTERS) };
  const { errors } = await mutate('loginByEmail', 'LoginByEmailInput', input);
  expect(errors).toHaveLength(1);
  expect(await idp.context.tokens.verify(squatter.token)).toBeUndefined();
});
