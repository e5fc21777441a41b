import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { PasskeyCaller } from '../../src/passkeys/passkeys.ts';
import { createBrowser, type Browser, type BrowserPage } from '../provider/support/browser.ts';
import {
  openProvider,
  REDIRECT_URI,
  type OpenProvider,
} from '../provider/support/open-provider.ts';
import { callPool, start } from '../support/direct-client.ts';
import { startIdentityServer } from '../support/identity-server.ts';
import { createSoftwareAuthenticator } from '../support/software-authenticator.ts';

let idp: OpenProvider;
beforeAll(async () => {
  idp = await openProvider({ limits: 'on' }, { hostname: 'localhost' });
});
afterAll(() => idp[Symbol.asyncDispose]());

let browser: Browser;
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

async function openPage(): Promise<BrowserPage> {
  const asked = { client_id: idp.appId, redirect_uri: REDIRECT_URI, scope: 'openid' };
  const search = new URLSearchParams({ ...asked, response_type: 'code', state: 'state-1' });
  return browser.open(`${idp.host}/oidc/auth?${search.toString()}`);
}

/** Where the script of a page asks for a challenge. */
const challengeOf = ({ body }: BrowserPage): string =>
  /data-autofill="([^"]*)"/.exec(body)?.[1] ?? '';

async function countChallenges(): Promise<number> {
  const { rows } = await idp.pool.query<{ count: number }>(
    'select count(*)::int as count from identity.passkey_challenge',
  );
  return rows[0]?.count ?? 0;
}

test('a page that offers passkeys in its field opens a challenge only when its script asks, and the answer signs in', async () => {
  const user = await idp.makeUser({ username: 'ada' });
  const account = { username: 'ada', contact: undefined, locale: undefined, timeZone: undefined };
  const caller: PasskeyCaller = { address: '192.0.2.1', owner: { id: user.id, ...account } };
  const { passkeys } = idp.context;
  const authenticator = createSoftwareAuthenticator(new URL(idp.host).origin);
  const creation = await passkeys.beginRegistration(caller, { name: 'a', displayName: 'A' });
  await passkeys.finishRegistration(caller, authenticator.create(creation));
  await passkeys.setSignsIn(caller, true);

  const page = await openPage();
  expect(page.body).toContain('autocomplete="username webauthn"');
  expect(await countChallenges()).toBe(0);
  const reply = await browser.open(challengeOf(page));
  const options = JSON.parse(reply.body) as PublicKeyCredentialRequestOptionsJSON;
  expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  const credential = JSON.stringify(authenticator.get(options));
  const done = await browser.submit(page, 'passkey', { credential });
  expect(done.url.href.startsWith(REDIRECT_URI)).toBe(true);
});

test('an attacker gets no challenge without a pending sign-in, and a limited number with one', async () => {
  const page = await openPage();
  const address = challengeOf(page);
  const strange = await fetch(address.replace(/oidc\/[^/]+/, 'oidc/strange'));
  expect(strange.status).toBe(410);
  const answers: string[] = [];
  for (let asked = 0; asked < 65; asked += 1) answers.push((await browser.open(address)).body);
  // One was opened by the test before.
  expect(answers.filter((answer) => answer.includes('"challenge"'))).toHaveLength(59);
  expect(await countChallenges()).toBeLessThanOrEqual(60);
});

test('pages that only offer passkeys do not use up the sign-ins with a code of an office', async () => {
  await using server = await startIdentityServer({
    settings: { issuer: 'https://portal.example/identity/us-east-1_DevicePortal' },
  });
  await server.service.users.createUser({
    ...{ username: 'ada', name: 'Ada', email: 'ada@corp.example' },
  });
  const parameters = { USERNAME: '*', PREFERRED_CHALLENGE: 'WEB_AUTHN' };
  const offer = () =>
    callPool(server, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters: parameters });
  for (let opened = 0; opened < 60; opened += 1) expect((await offer()).Session).toBeDefined();
  expect(await offer()).toMatchObject({ __type: 'TooManyRequestsException' });
  expect((await start(server, 'ada')).ChallengeName).toBe('CUSTOM_CHALLENGE');
});
