import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthenticationClient } from 'authing-js-sdk';
import { generate } from 'otplib';
import type { IdentityEvent } from '../../src/identity-event.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';
import { freshName } from './support/fresh-names.ts';
import { createPhone, scanPicture } from './support/phone.ts';
import { call, signIn } from './support/rest-calls.ts';

let idp: OpenProvider;
let isWritable = true;
const written: IdentityEvent[] = [];
beforeAll(async () => {
  idp = await openProvider(
    { limits: 'off' },
    {
      writeEvent: async (_client, event) => {
        if (!isWritable) throw new Error('the audit trail cannot be written');
        written.push(event);
      },
    },
  );
});
afterAll(() => idp[Symbol.asyncDispose]());

const PASSWORD = 'Records need 1 password';

async function signedIn() {
  const username = freshName();
  await idp.makeUser({ username, password: PASSWORD });
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host, lang: 'en-US' });
  await client.loginByUsername(username, PASSWORD);
  return { client, username };
}

it('setting and removing custom values is recorded, without the values', async () => {
  const { client, username } = await signedIn();
  written.length = 0;
  await client.setUdfValue({ shoeSize: 43, motto: 'nobody reads this' });
  await client.removeUdfValue('motto');
  await client.removeUdfValue('motto');
  expect(written.map(({ detail }) => detail)).toEqual([
    'custom values set: shoeSize, motto',
    'custom value removed: motto',
  ]);
  expect(written[0]).toMatchObject({ kind: 'accountChanged', username });
  expect(JSON.stringify(written)).not.toContain('nobody reads this');
});

it('a change that cannot be recorded is not executed', async () => {
  const { client } = await signedIn();
  await client.setUdfValue({ color: 'green' });
  isWritable = false;
  try {
    await expect(client.setUdfValue({ color: 'red' })).rejects.toBeDefined();
    await expect(client.removeUdfValue('color')).rejects.toBeDefined();
  } finally {
    isWritable = true;
  }
  expect(await client.getUdfValue()).toMatchObject({ color: 'green' });
});

it('concurrently set values together stay within the limit', async () => {
  const { client } = await signedIn();
  const batch = (start: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key${start + index}`, index]));
  const results = await Promise.allSettled([
    client.setUdfValue(batch(0)),
    client.setUdfValue(batch(100)),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(Object.keys(await client.getUdfValue())).toHaveLength(60);
});

it('values of a sign-in are recorded, and a sign-in with too many is rejected', async () => {
  const username = freshName();
  const email = `${username}@example.com`;
  const known = { username, email, emailVerified: true, password: PASSWORD };
  const { id } = await idp.makeUser(known);
  const client = new AuthenticationClient({ appId: idp.appId, appHost: idp.host, lang: 'en-US' });
  const byCode = async (customData: object): Promise<number> => {
    await client.sendEmail(email, 'LOGIN_VERIFY_CODE' as never);
    const params = JSON.stringify(
      Object.entries(customData).map(([key, value]) => ({ key, value })),
    );
    const body = { email, code: idp.codeFor(email), params };
    return (await call(idp, 'POST', '/api/v2/login/email-code', { body })).code;
  };
  const byQrCode = async (customData: object): Promise<number> => {
    const asked = { scene: 'APP_AUTH', params: customData };
    const made = await call(idp, 'POST', '/api/v2/qrcode/gene', { body: asked });
    const { random, url } = made.data as { random: string; url: string };
    const address = await scanPicture(url);
    const phone = createPhone(idp);
    await phone.signIn(address, email);
    await phone.press(address, 'confirm');
    const path = `/api/v2/qrcode/check?random=${random}`;
    const { ticket } = (await call(idp, 'GET', path)).data as { ticket: string };
    return (await call(idp, 'POST', '/api/v2/qrcode/userinfo', { body: { ticket } })).code;
  };
  written.length = 0;
  await client.loginByUsername(username, PASSWORD, { customData: { shift: 'late' } });
  expect(await byCode({ line: 4 })).toBe(200);
  expect(await byQrCode({ lamp: 'on' })).toBe(200);
  expect(written.map(({ detail }) => detail)).toEqual(
    ['shift', 'line', 'lamp'].map((key) => `custom values set: ${key}`),
  );

  const room = Array.from({ length: 97 }, (_, index) => [`key${index}`, index]);
  await client.setUdfValue(Object.fromEntries(room) as Record<string, number>);
  const methods = async (): Promise<string[]> =>
    (await idp.context.tokens.listSessions(id)).map(({ method }) => method).toSorted();
  const before = [...(await methods()), 'qr-phone'].toSorted();
  const more = { customData: { more: 1 } };
  await expect(client.loginByUsername(username, PASSWORD, more)).rejects.toMatchObject({
    code: 2260,
  });
  expect(await byCode({ more: 1 })).toBe(2260);
  expect(await byQrCode({ more: 1 })).toBe(2260);
  expect(await methods()).toEqual(before);
});

it('a second factor whose change cannot be recorded does not change', async () => {
  const { token } = await signIn(idp, `${freshName()}@example.com`);
  const ask = async (method: 'POST' | 'DELETE', path: string, body: object = {}) =>
    call(idp, method, `/api/v2/mfa/totp/${path}`, { body, token });
  const app = (await ask('POST', 'associate')).data as { secret: string; recovery_code: string };
  const epoch = Math.floor(idp.clock.now() / 1_000);
  const changes = [
    () =>
      generate({ secret: app.secret, epoch }).then((totp) =>
        ask('POST', 'associate/confirm', { totp }),
      ),
    () => ask('POST', 'recovery', { recoveryCode: app.recovery_code }),
    () => ask('DELETE', 'associate'),
  ];
  written.length = 0;
  for (const change of changes) {
    isWritable = false;
    const refused = await change().finally(() => (isWritable = true));
    expect(refused.code).toBe(500);
    expect((await change()).code).toBe(200);
  }
  expect(written.map(({ detail }) => detail)).toEqual([
    'an authenticator app was added',
    'the recovery code was used',
    'the authenticator app was deleted',
  ]);
});
