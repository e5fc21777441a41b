import { createHash } from 'node:crypto';
import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderUser } from '../../src/accounts/provider-user.ts';
import { createBrowser, type Browser, type BrowserPage } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };
const SECRET = 'a secret of the application';
const EXCHANGE = 'http://authing.cn/oidc/grant_type/authing_token';
const VERIFIER = 'a-verifier-of-this-test-that-is-long-enough-for-it';

let idp: OpenProvider;
let user: ProviderUser;
let browser: Browser;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  user = await idp.makeUser(ADA);
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

async function signIn(url: string): Promise<BrowserPage> {
  const page = await browser.open(url);
  if (page.status === 0) return page;
  const password = await browser.open(`${page.url.href}?way=password`);
  return browser.submit(password, 'password', { account: ADA.email, password: ADA.password });
}

function authorizeUrl(protocol: 'oidc' | 'oauth', scope: string): string {
  const query = new URLSearchParams({
    client_id: idp.appId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    state: 'a state that is long enough',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope.includes('offline_access') && { prompt: 'consent' }),
  });
  return `${idp.host}/${protocol}/auth?${query.toString()}`;
}

type Answer = Readonly<Record<string, unknown>>;

async function post(path: string, fields: Record<string, string>): Promise<Answer> {
  const answer = await fetch(`${idp.host}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, client_id: idp.appId, client_secret: SECRET }),
  });
  return (await answer.json()) as Answer;
}

async function redeem(protocol: 'oidc' | 'oauth', page: BrowserPage): Promise<Answer> {
  return post(`/${protocol}/token`, {
    grant_type: 'authorization_code',
    code: page.url.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
  });
}

async function accessToken(protocol: 'oidc' | 'oauth', scope: string): Promise<string> {
  const tokens = await redeem(protocol, await signIn(authorizeUrl(protocol, scope)));
  return String(tokens['access_token']);
}

/** What applications hear of the token: whether it is active, and the status of the person's own call. */
async function heard(protocol: 'oidc' | 'oauth', token: string): Promise<readonly unknown[]> {
  const known = await post(`/${protocol}/token/introspection`, { token });
  const me = await fetch(`${idp.host}/${protocol}/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const valid = await fetch(`${idp.host}/api/v2/oidc/validate_token?access_token=${token}`);
  return [known['active'], me.status, valid.status];
}

const GOOD = [true, 200, 200];
const ENDED = [false, 401, 400];

describe('tokens of applications', () => {
  it.each([
    ['of CAS', () => browser.open(`${idp.host}/cas-idp/${idp.appId}/logout`)],
    ['of the profile', () => browser.open(`${idp.host}/login/profile/logout`)],
    ['of every device by a new password', () => idp.context.tokens.endSessionsOf(user.id)],
  ])('the sign-out %s ends access tokens immediately', async (_name, signOut) => {
    const token = await accessToken('oidc', 'openid email');
    const other = await accessToken('oauth', 'user');
    expect(await heard('oidc', token)).toEqual(GOOD);
    expect(await heard('oauth', other)).toEqual(GOOD);
    await signOut();
    expect(await heard('oidc', token)).toEqual(ENDED);
    expect(await heard('oauth', other)).toEqual(ENDED);
    const again = await browser.open(authorizeUrl('oidc', 'openid'));
    expect(again.body).toContain('Sign in');
  });

  it('a code that was not redeemed before the sign-out is invalid afterwards', async () => {
    const page = await signIn(authorizeUrl('oidc', 'openid'));
    await browser.open(`${idp.host}/login/profile/logout`);
    expect(await redeem('oidc', page)).toMatchObject({ error: 'invalid_grant' });
  });

  it('a sign-out affects neither another browser nor the next sign-in in the same one', async () => {
    const token = await accessToken('oidc', 'openid');
    const own = browser;
    browser = createBrowser(REDIRECT_URI);
    const other = await accessToken('oidc', 'openid');
    await own.open(`${idp.host}/login/profile/logout`);
    expect(await heard('oidc', token)).toEqual(ENDED);
    expect(await heard('oidc', other)).toEqual(GOOD);
    browser = own;
    const next = await accessToken('oidc', 'openid');
    expect(await heard('oidc', next)).toEqual(GOOD);
    expect(await heard('oidc', token)).toEqual(ENDED);
  });

  it('[idp-token-end-4] tokens that were exchanged for a session token end with it', async () => {
    const session = { appId: idp.appId, method: 'test', address: '127.0.0.1' };
    const issued = await idp.context.tokens.startSession(user, session);
    const fields = { grant_type: EXCHANGE, token: issued.token, scope: 'openid email' };
    const token = String((await post('/oidc/token', fields))['access_token']);
    expect(await heard('oidc', token)).toEqual(GOOD);
    await idp.context.tokens.endSession(issued.sessionId);
    expect(await heard('oidc', token)).toEqual(ENDED);
  });

  it('an application with offline access keeps its tokens', async () => {
    const asked = await signIn(authorizeUrl('oidc', 'openid offline_access'));
    const tokens = await redeem('oidc', await browser.submit(asked, 'allow'));
    await browser.open(`${idp.host}/login/profile/logout`);
    expect(await heard('oidc', String(tokens['access_token']))).toEqual(GOOD);
    const renewed = await post('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    });
    expect(await heard('oidc', String(renewed['access_token']))).toEqual(GOOD);
  });
});

describe('a code challenge in plain', () => {
  it('is accepted from the unchanged public package, and only its own verifier redeems the code', async () => {
    const client = new AuthenticationClient({
      appId: idp.appId,
      appHost: idp.host,
      secret: SECRET,
      redirectUri: REDIRECT_URI,
    });
    const verifier = client.generateCodeChallenge();
    const url = client.buildAuthorizeUrl({
      codeChallenge: client.getCodeChallengeDigest({
        codeChallenge: verifier,
        method: 'plain' as never,
      }),
      codeChallengeMethod: 'plain',
    });
    const codeOf = async (page: Promise<BrowserPage>): Promise<string> =>
      (await page).url.searchParams.get('code') ?? '';
    const code = await codeOf(signIn(url));
    const tokens: unknown = await client.getAccessTokenByCode(code, { codeVerifier: verifier });
    expect(tokens).toMatchObject({ token_type: 'Bearer' });
    const stolen = await codeOf(browser.open(url));
    const codeVerifier = client.generateCodeChallenge();
    const refusal = { response: { status: 400, data: { error: 'invalid_grant' } } };
    await expect(client.getAccessTokenByCode(stolen, { codeVerifier })).rejects.toMatchObject(
      refusal,
    );
    const bare = await codeOf(browser.open(url));
    await expect(client.getAccessTokenByCode(bare)).rejects.toMatchObject(refusal);
  });

  it('that is too short, has no method, or an unknown method is rejected', async () => {
    const url = new URL(authorizeUrl('oidc', 'openid'));
    const asked = async (
      change: Readonly<Record<string, string | undefined>>,
    ): Promise<unknown> => {
      const own = new URL(url);
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) own.searchParams.delete(name);
        else own.searchParams.set(name, value);
      }
      return (await browser.open(own.href)).url.searchParams.get('error');
    };
    const plain = { code_challenge_method: 'plain' };
    expect(await asked({ ...plain, code_challenge: 'x'.repeat(42) })).toBe('invalid_request');
    expect(await asked({ ...plain, code_challenge: `${'x'.repeat(50)} ` })).toBe('invalid_request');
    expect(await asked({ code_challenge_method: undefined })).toBe('invalid_request');
    expect(await asked({ code_challenge_method: 'S512' })).toBe('invalid_request');
  });
});
