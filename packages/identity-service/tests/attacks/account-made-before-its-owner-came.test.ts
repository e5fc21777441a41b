import { constants, publicEncrypt } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('[squat-1] who registers with an address before its owner comes has no way into the account of the owner', async () => {
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

test('[squat-2] who has another way into the account keeps it, without the address', async () => {
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

test('[squat-3] neither does a sign-in on the phone page lead the owner into the account of a squatter', async () => {
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
