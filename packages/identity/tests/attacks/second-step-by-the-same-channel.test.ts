import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';
import { createPhone, scanPicture } from '../provider/support/phone.ts';
import { call } from '../provider/support/rest-calls.ts';

const EMAIL = 'ada@example.com';
let idp: OpenProvider;
beforeEach(async () => {
  idp = await openProvider({ limits: 'off', secondStep: 'required' });
});
afterEach(() => idp[Symbol.asyncDispose]());

test('access to a user’s mailbox alone is not sufficient to sign in by a QR code', async () => {
  const number = { ...idp.context.users.readPhone('13800000000'), phoneVerified: true };
  await idp.makeUser({ email: EMAIL, emailVerified: true, ...number });
  const made = await call(idp, 'POST', '/api/v2/qrcode/gene', { body: { scene: 'APP_AUTH' } });
  const { random, url } = made.data as { readonly random: string; readonly url: string };
  const address = await scanPicture(url);
  const phone = createPhone(idp);
  await phone.signIn(address, EMAIL);
  await phone.press(address, 'confirm');
  const answer = await call(idp, 'GET', `/api/v2/qrcode/check?random=${random}`);
  const { scannedResult } = answer.data as {
    readonly scannedResult: { readonly data: { readonly mfaToken: string } };
  };
  const token = scannedResult.data.mfaToken;
  await call(idp, 'POST', '/graphql/v2', {
    body: {
      query: `mutation { sendEmail(email: "${EMAIL}", scene: MFA_VERIFY) { code } }`,
    },
  });
  const body = { email: EMAIL, code: idp.codeFor(EMAIL) };
  const path = '/api/v2/applications/mfa/email/verify';
  expect((await call(idp, 'POST', path, { body, token })).code).not.toBe(200);
});
