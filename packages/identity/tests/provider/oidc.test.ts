import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markAccessKeyRevoked } from '../../src/access-keys/access-key-store.ts';
import { createAccessKey } from '../../src/oidc/access-keys.ts';
import { createBrowser, type Browser } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const SECRET = 'a secret of the application';
const SCOPE = 'openid profile email phone address roles';
const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };

let idp: OpenProvider;
let config: client.Configuration;
let browser: Browser;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  await idp.makeUser({
    ...ADA,
    username: 'ada',
    emailVerified: true,
    profile: { name: 'Ada Lovelace', locality: 'London' },
  });
  config = await discover(client.ClientSecretPost(SECRET));
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

function discover(auth: client.ClientAuth, protocol = 'oidc'): Promise<client.Configuration> {
  return client.discovery(new URL(`${idp.host}/${protocol}`), idp.appId, SECRET, auth, {
    execute: [client.allowInsecureRequests],
  });
}

interface Trip {
  readonly verifier: string;
  readonly url: URL;
}

async function begin(asked: Record<string, string> = {}, of = config): Promise<Trip> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(of, {
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...asked,
  });
  return { verifier, url };
}

/** Signs Ada in on the page. @returns where the application is told the code */
async function signIn(trip: Trip): Promise<URL> {
  const page = await browser.open(`${trip.url.href}`);
  const password = await browser.open(`${page.url.href}?way=password`);
  const done = await browser.submit(password, 'password', {
    account: ADA.email,
    password: ADA.password,
  });
  return done.url;
}

async function signInAndRedeem(asked: Record<string, string> = {}, of = config) {
  const trip = await begin(asked, of);
  return redeem(trip, await signIn(trip), of);
}

function redeem({ verifier }: Trip, url: URL, of = config) {
  return client.authorizationCodeGrant(of, url, {
    pkceCodeVerifier: verifier,
    expectedState: 'state-1',
    expectedNonce: 'nonce-1',
    idTokenExpected: true,
  });
}

describe('OpenID Connect with openid-client', () => {
  it('a user signs in with a password, and the application gets the user', async () => {
    const tokens = await signInAndRedeem();
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      email: ADA.email,
      email_verified: true,
      name: 'Ada Lovelace',
      preferred_username: 'ada',
      address: { locality: 'London' },
      roles: [],
      aud: idp.appId,
      iss: `${idp.host}/oidc`,
    });
    const said = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(said).toMatchObject({ sub: claims?.sub, email: ADA.email, name: 'Ada Lovelace' });
    expect(idp.failures).toEqual([]);
  });

  it('a user signs in with a code by email, and then in a second application without one', async () => {
    const trip = await begin();
    const page = await browser.open(trip.url.href);
    const asks = await browser.submit(page, 'send', { account: ADA.email });
    const done = await browser.submit(asks, 'code', { code: idp.codeFor(ADA.email) });
    expect((await redeem(trip, done.url)).claims()?.['email']).toBe(ADA.email);
    const again = await begin();
    const silent = await browser.open(again.url.href);
    expect((await redeem(again, silent.url)).claims()?.['email']).toBe(ADA.email);
  });

  it('each client authentication method of the API works', async () => {
    const basic = await discover(client.ClientSecretBasic(SECRET));
    const none = await discover(client.None());
    for (const of of [config, basic, none]) {
      browser = createBrowser(REDIRECT_URI);
      const tokens = await signInAndRedeem({}, of);
      const known = await client.tokenIntrospection(of, tokens.access_token);
      expect(known).toMatchObject({ active: true, client_id: idp.appId, scope: SCOPE });
      await client.tokenRevocation(of, tokens.access_token);
      expect(await client.tokenIntrospection(of, tokens.access_token)).toEqual({ active: false });
    }
    browser = createBrowser(REDIRECT_URI);
    const wrong = await discover(client.ClientSecretPost('another secret'));
    await expect(signInAndRedeem({}, wrong)).rejects.toMatchObject({ error: 'invalid_client' });
  });

  it('[idp-oidc-4] without its secret, an application cannot redeem a code without PKCE', async () => {
    const none = await discover(client.None());
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT_URI, scope: SCOPE });
    const back = await signIn({ verifier: '', url });
    await expect(client.authorizationCodeGrant(none, back)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const withSecret = await client.authorizationCodeGrant(config, back);
    expect(withSecret.access_token).toBeTypeOf('string');
  });

  it('offline access requires consent, and refreshes with rotation', async () => {
    const trip = await begin({ scope: `${SCOPE} offline_access`, prompt: 'consent' });
    const page = await browser.open(trip.url.href);
    const password = await browser.open(`${page.url.href}?way=password`);
    const consent = await browser.submit(password, 'password', {
      account: ADA.email,
      password: ADA.password,
    });
    expect(consent.body).toContain('act on your behalf while you are not signed in');
    const tokens = await redeem(trip, (await browser.submit(consent, 'allow')).url);
    const first = tokens.refresh_token ?? '';
    const second = await client.refreshTokenGrant(config, first);
    expect(second.refresh_token).not.toBe(first);
    const none = await discover(client.None());
    await expect(client.refreshTokenGrant(none, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    // Whoever comes with the old one may have stolen it: nothing of this grant is good any more.
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(
      client.refreshTokenGrant(config, second.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('a user who denies consent returns to the application with an error', async () => {
    const trip = await begin();
    const page = await browser.open(trip.url.href);
    const { url } = await browser.submit(page, 'cancel');
    await expect(redeem(trip, url)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('[idp-oidc-7] an application gets tokens with its access key until the key is revoked', async () => {
    const { appId } = idp;
    const pair = await createAccessKey(idp.context, { appId, scopes: ['email', 'profile'] });
    const program = await client.discovery(
      new URL(`${idp.host}/oidc`),
      pair.accessKey,
      pair.accessSecret,
      client.ClientSecretPost(pair.accessSecret),
      { execute: [client.allowInsecureRequests] },
    );
    const tokens = await client.clientCredentialsGrant(program, { scope: 'email' });
    expect(tokens.scope).toBe('email');
    await expect(
      client.clientCredentialsGrant(program, { scope: 'address' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' });
    const key = { accessKeyId: pair.accessKey, use: 'client-credentials' } as const;
    await markAccessKeyRevoked(idp.pool, key, new Date());
    await expect(client.clientCredentialsGrant(program, {})).rejects.toMatchObject({
      error: 'invalid_client',
    });
    await expect(client.clientCredentialsGrant(config, {})).rejects.toMatchObject({
      error: 'invalid_request',
      error_description: 'requested grant type is not allowed for this client',
    });
  });

  it('[idp-oidc-8] signing out ends the session of the browser and its tokens', async () => {
    const trip = await begin();
    const tokens = await redeem(trip, await signIn(trip));
    const out = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: REDIRECT_URI,
    });
    const page = await browser.open(out.href);
    const done = await browser.submit(page, '', { logout: 'yes' });
    expect(done.url.href).toBe(REDIRECT_URI);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    const again = await browser.open((await begin()).url.href);
    expect(again.body).toContain('Sign in');
    const elsewhere = await browser.open(
      `${out.href.split('?')[0]}?client_id=${idp.appId}&post_logout_redirect_uri=https://evil.example/`,
    );
    expect(elsewhere.status).toBe(400);
  });

  it('[idp-oidc-9] an unregistered URL is never used for a redirect', async () => {
    const { url } = await begin({ redirect_uri: 'https://evil.example/callback' });
    const page = await browser.open(url.href);
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(new URL(idp.host).origin);
    expect(page.body).toContain('redirect_uri');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('[idp-oidc-10] an incorrect verifier and a used code are rejected', async () => {
    const trip = await begin();
    const back = await signIn(trip);
    const stolen = { ...trip, verifier: client.randomPKCECodeVerifier() };
    await expect(redeem(stolen, back)).rejects.toMatchObject({ error: 'invalid_grant' });
    const tokens = await redeem(trip, back);
    await expect(redeem(trip, back)).rejects.toMatchObject({ error: 'invalid_grant' });
    // A code that comes twice was stolen: what it gave is taken back (RFC 6749, section 4.1.2).
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('[idp-oidc-11] concurrent uses of one code get tokens only once', async () => {
    const trip = await begin();
    const back = await signIn(trip);
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => redeem(trip, back)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('a locked user has no valid tokens', async () => {
    const eve = await idp.makeUser({ email: 'eve@example.com', password: ADA.password });
    const trip = await begin();
    const page = await browser.open(trip.url.href);
    const asks = await browser.submit(page, 'send', { account: 'eve@example.com' });
    const done = await browser.submit(asks, 'code', { code: idp.codeFor('eve@example.com') });
    const tokens = await redeem(trip, done.url);
    await idp.context.users.update(eve.id, { blocked: true });
    await expect(client.fetchUserInfo(config, tokens.access_token, eve.id)).rejects.toMatchObject({
      status: 401,
    });
    const again = await browser.open((await begin()).url.href);
    expect(again.body).toContain('Sign in');
  });

  it('plain OAuth returns the user of an access token for every token placement of the API', async () => {
    const of = await discover(client.ClientSecretPost(SECRET), 'oauth');
    const verifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(of, {
      redirect_uri: REDIRECT_URI,
      scope: 'user',
      state: 'state-1',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await signIn({ verifier, url });
    const tokens = await client.authorizationCodeGrant(of, back, {
      pkceCodeVerifier: verifier,
      expectedState: 'state-1',
    });
    const token = tokens.access_token;
    const me = `${idp.host}/oauth/me`;
    const answers = await Promise.all([
      fetch(`${me}?access_token=${token}`),
      fetch(me, { headers: { authorization: `Bearer ${token}` } }),
      fetch(me, { method: 'POST', headers: { authorization: `Bearer ${token}` } }),
      fetch(me, { method: 'POST', body: new URLSearchParams({ access_token: token }) }),
    ]);
    for (const answer of answers) expect(await answer.json()).toMatchObject({ email: ADA.email });
    expect((await fetch(`${me}?access_token=${token}x`)).status).toBe(401);
  });

  it('[idp-oidc-14] no ID, code, token, or key can be read in the database', async () => {
    const tokens = await signInAndRedeem();
    const rows = await idp.pool.query('select * from identity.provider_oidc_entry');
    const text = rows.rows
      .flatMap((row: object) => Object.values(row))
      .map((value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n');
    expect(text).not.toContain(tokens.access_token);
    expect(text).not.toContain(ADA.email);
  });
});
