import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';
import { createPhone, scanPicture } from '../provider/support/phone.ts';
import { call } from '../provider/support/rest-calls.ts';

const photo = 'https://photos.example/ada.png';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
});
afterAll(() => idp[Symbol.asyncDispose]());

/** Somebody puts a code of theirs where others scan it, and polls. @returns what they are told after each step */
async function lure(email: string, answer: 'confirm' | 'cancel'): Promise<readonly unknown[]> {
  const made = await call(idp, 'POST', '/api/v2/qrcode/gene', { body: { scene: 'APP_AUTH' } });
  const { random, url } = made.data as { readonly random: string; readonly url: string };
  const told = async (): Promise<unknown> => {
    const { data } = await call(idp, 'GET', `/api/v2/qrcode/check?random=${random}`);
    return (data as { readonly userInfo: unknown }).userInfo;
  };
  const address = await scanPicture(url);
  const phone = createPhone(idp);
  const before = await told();
  await phone.signIn(address, email);
  const scanned = await told();
  await phone.press(address, answer);
  return [before, scanned, await told()];
}

test('scanning a code shows the nickname that the API requires, and the photo only after confirmation', async () => {
  const email = 'ada@example.com';
  await idp.makeUser({ email, emailVerified: true, profile: { nickname: 'Ada', photo } });
  expect(await lure(email, 'confirm')).toEqual([
    null,
    { nickname: 'Ada', photo: null },
    { nickname: 'Ada', photo },
  ]);
});

test('without a nickname, neither name nor address is shown before confirmation, and nothing after cancellation', async () => {
  const email = 'grace.hopper@example.com';
  await idp.makeUser({ email, emailVerified: true, profile: { name: 'Grace Hopper', photo } });
  expect(await lure(email, 'cancel')).toEqual([null, { nickname: null, photo: null }, null]);
});
