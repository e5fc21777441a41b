import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type * as Library from 'amazon-cognito-identity-js';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addressOf, readCode } from '../../support/sign-in.ts';
import { openTestBrowser } from '../../support/test-browser.ts';

/** A page with the library, and a sign-in that it has begun. */
interface LibraryPage extends Window {
  readonly AmazonCognitoIdentity: typeof Library;
  answerChallenge: (code: string) => Promise<Library.CognitoUserSession>;
}

interface PoolConfig {
  readonly userPoolId: string;
  readonly userPoolClientId: string;
}

const library = createRequire(import.meta.url).resolve(
  'amazon-cognito-identity-js/dist/amazon-cognito-identity.min.js',
);
const html =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><script src="/library.js"></script>';
const testBrowser = openTestBrowser();

/** Another website on this machine. */
const website = createServer((request, response) => {
  if (request.url !== '/library.js') {
    response.setHeader('content-type', 'text/html').end(html);
    return;
  }
  void readFile(library).then((script) =>
    response.setHeader('content-type', 'text/javascript').end(script),
  );
});
beforeAll(async () => {
  website.listen(0, '127.0.0.1');
  await once(website, 'listening');
});
afterAll(() => {
  website.close();
  website.closeAllConnections();
});

test('a page of another website on this machine signs a user in, with an unchanged client of user pools', async () => {
  const portalUrl = inject('portalUrl');
  const config = (await (await fetch(`${portalUrl}/api/config`)).json()) as PoolConfig;
  const page = await testBrowser.openSignedOut('/signin');
  testBrowser.expectErrors(page, /400/);
  await page.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/`);
  const askedAt = new Date(Date.now() - 1_000);
  const begin = { ...config, endpoint: `${portalUrl}/identity` };
  const medium = await page.evaluate(
    ({ userPoolId, userPoolClientId, endpoint, username }) => {
      const here = window as unknown as LibraryPage;
      const { AuthenticationDetails, CognitoUser, CognitoUserPool } = here.AmazonCognitoIdentity;
      const Pool = new CognitoUserPool({
        UserPoolId: userPoolId,
        ClientId: userPoolClientId,
        endpoint,
      });
      const user = new CognitoUser({ Username: username, Pool });
      user.setAuthenticationFlowType('CUSTOM_AUTH');
      here.answerChallenge = (code) =>
        new Promise((onSuccess, onFailure) => {
          const customChallenge = () => onFailure(new Error('wrong code'));
          user.sendCustomChallengeAnswer(code, { onSuccess, onFailure, customChallenge });
        });
      return new Promise<string>((resolve, onFailure) => {
        user.initiateAuth(new AuthenticationDetails({ Username: username }), {
          onSuccess: () => onFailure(new Error('no challenge')),
          onFailure,
          customChallenge: (challenge: { medium: string }) => resolve(challenge.medium),
        });
      });
    },
    { ...begin, username: addressOf('viewer') },
  );
  expect(medium).toBe('email');
  const code = await readCode(addressOf('viewer'), askedAt);
  const wrong = code === '111111' ? '222222' : '111111';
  const answer = (text: string) =>
    page.evaluate(async (given) => {
      const session = await (window as unknown as LibraryPage).answerChallenge(given);
      return session.getIdToken().getJwtToken();
    }, text);
  await expect(answer(wrong)).rejects.toThrow('wrong code');
  const idToken = await answer(code);
  const reply = await fetch(`${portalUrl}/api/trpc/session.get`, {
    headers: { authorization: `Bearer ${idToken}` },
  });
  expect(reply.status).toBe(200);
});

test('the name of an error reaches such a page', async () => {
  const portalUrl = inject('portalUrl');
  const page = await testBrowser.openSignedOut('/signin');
  testBrowser.expectErrors(page, /400/);
  await page.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/`);
  const name = await page.evaluate(async (url) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.GetUser',
      },
      body: '{"AccessToken":"none"}',
    });
    return reply.headers.get('x-amzn-errortype');
  }, `${portalUrl}/identity`);
  expect(name).toBe('NotAuthorizedException:');
});
