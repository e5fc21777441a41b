import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StepUpOffers } from '@deviceportal/contract/step-up';
import {
  openExternalProvider,
  type ExternalPerson,
  type ExternalProvider,
} from '../support/external-provider.ts';
import { mutate, query } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const person: ExternalPerson = {
  id: 'u-li',
  email: 'li@corp.example',
  phone: '+8613800138000',
  name: 'Li',
  roles: [],
};

let provider: ExternalProvider;
let portal: TestServer;
beforeAll(async () => {
  provider = await openExternalProvider([person]);
  portal = await startTestServer([], {
    DEVICEPORTAL_AUTHING_APP_ID: provider.appId,
    DEVICEPORTAL_AUTHING_HOST: provider.host,
    DEVICEPORTAL_AUTHING_ISSUER: provider.issuer,
    DEVICEPORTAL_AUTHING_KEY_SET_URL: provider.keySetUrl,
    DEVICEPORTAL_PROVIDER_SET: 'authing',
  });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** A token that does not state whether the address is verified. */
const unknown = { email_verified: undefined };
type Claims = Readonly<Record<string, unknown>>;

async function offersWith(claims: Claims): Promise<StepUpOffers> {
  const token = await provider.idToken(person, { ...unknown, ...claims });
  return (await query(portal.url, { path: 'stepUp.getOffers', token })).data as StepUpOffers;
}

const methodsWith = async (claims: Claims): Promise<readonly string[]> =>
  (await offersWith(claims)).methods.map(({ method }) => method);

describe('a code that confirms a user of another provider', () => {
  test.each([
    [{ email_verified: true, phone_number_verified: true }, ['email', 'sms']],
    [{ email_verified: 'true', phone_number_verified: 'true' }, ['email', 'sms']],
    [{ email_verified: true, phone_number_verified: false }, ['email']],
    [{ phone_number_verified: true }, ['sms']],
  ])('is offered for what its token states as verified: %j', async (claims, methods) => {
    expect(await methodsWith(claims)).toEqual(methods);
  });

  test.each([false, 'false', null, undefined, 1, 'yes', 'True', {}, [true]])(
    'is not offered for an address whose claim is %j',
    async (claim) => {
      const offers = await offersWith({ email_verified: claim, phone_number_verified: claim });
      expect(offers.methods).toEqual([]);
      expect(offers.hindrances).toContainEqual({ reason: 'contact-unverified', until: null });
    },
  );

  test('is not sent to an address that another token of the same user named as verified', async () => {
    const verified = await provider.idToken(person, { email_verified: true });
    const send = (token: string) =>
      mutate(portal.url, { path: 'stepUp.sendCode', input: { channel: 'email' }, token });
    expect(await send(verified)).toMatchObject({ status: 200 });
    expect(await send(await provider.idToken(person, unknown))).toMatchObject({
      ...{ code: 1000, reason: 'step-up-method-unavailable' },
    });
    // The portal sends to the address that it stores, so a verified claim about another one does not count.
    expect(await methodsWith({ email: 'eve@evil.example', email_verified: true })).toEqual([]);
  });
});
