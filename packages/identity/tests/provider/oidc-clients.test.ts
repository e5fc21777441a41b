import { AuthenticationClient } from 'authing-js-sdk';
import { fastify } from 'fastify';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  completeAuthorization,
  createIdentityClient,
  exchangeClientCredentials,
  exchangeIdToken,
  fetchUserInfo,
  introspectToken,
  loginByEmail,
  refreshTokens,
  revokeToken,
  startAuthorization,
  validateToken,
  type IdentityClient,
} from '../../../identity-client/src/index.ts';
import { createTotps } from '../../src/mfa/totp.ts';
import { createAccessKey } from '../../src/oidc/access-keys.ts';
import { openConnections } from '../../src/connections/open-connections.ts';
import { openFaces } from '../../src/face/open-faces.ts';
import { registerStandardProtocols } from '../../src/provider/register-standard-protocols.ts';
import { createBrowser, type Browser, type BrowserPage } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const SECRET = 'a secret of the application';
const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };

let idp: OpenProvider;
let browser: Browser;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  await idp.makeUser({ ...ADA, username: 'ada', profile: { name: 'Ada <Lovelace>' } });
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

/** Of the provider's clock, in seconds. */
const now = (): number => Math.floor(idp.context.clock.now() / 1_000);

const options = () => ({
  appId: idp.appId,
  appHost: idp.host,
  secret: SECRET,
  redirectUri: REDIRECT_URI,
});

async function passwordPage(url: string): Promise<BrowserPage> {
  const page = await browser.open(url);
  return browser.open(`${page.url.href}?way=password`);
}

function enter(page: BrowserPage): Promise<BrowserPage> {
  return browser.submit(page, 'password', { account: ADA.email, password: ADA.password });
}

describe('clients of the API', () => {
  it.each(['client_secret_post', 'client_secret_basic', 'none'] as const)(
    'our client completes the code flow with %s',
    async (method) => {
      const client: IdentityClient = createIdentityClient({
        ...options(),
        tokenEndPointAuthMethod: method,
        introspectionEndPointAuthMethod: method,
        revocationEndPointAuthMethod: method,
      });
      const { url, transaction } = startAuthorization(client, {
        scope: 'openid email offline_access',
      });
      const consent = await enter(await passwordPage(url));
      const back = await browser.submit(consent, 'allow');
      const tokens = await completeAuthorization(client, back.url.href, transaction);
      const fresh = await refreshTokens(client, tokens.refresh_token ?? '');
      const token = fresh.access_token ?? '';
      for (const tokenPlace of ['header', 'query'] as const) {
        expect(await fetchUserInfo(client, token, { tokenPlace })).toMatchObject({
          email: ADA.email,
        });
      }
      expect(
        await fetchUserInfo(client, token, { method: 'POST', tokenPlace: 'body' }),
      ).toMatchObject({ email: ADA.email });
      expect(await validateToken(client, { accessToken: token })).toMatchObject({
        client_id: idp.appId,
      });
      expect(await validateToken(client, { idToken: tokens.id_token })).toMatchObject({
        email: ADA.email,
      });
      await revokeToken(client, token);
      expect(await introspectToken(client, token)).toEqual({ active: false });
      await expect(validateToken(client, { accessToken: token })).rejects.toMatchObject({
        code: 400,
      });
    },
  );

  it('a session token is exchanged for OpenID Connect tokens of its own application only', async () => {
    const client = createIdentityClient(options());
    const user = await loginByEmail(client, ADA);
    const idToken = user.token ?? '';
    const tokens = await exchangeIdToken(client, { idToken, redirectUri: REDIRECT_URI });
    expect(await fetchUserInfo(client, tokens.access_token ?? '')).toMatchObject({ sub: user.id });
    expect(await validateToken(client, { idToken })).toMatchObject({ sub: user.id });
    const known = await idp.context.applications.find(idp.appId);
    if (known === undefined) throw new Error('the first application is gone');
    await idp.context.applications.save({ ...known, appId: 'app-2' });
    const other = createIdentityClient({ ...options(), appId: 'app-2' });
    await expect(
      exchangeIdToken(other, { idToken, redirectUri: REDIRECT_URI }),
    ).rejects.toMatchObject({ code: 400 });
  });

  it('our client signs in an application by its access key', async () => {
    const pair = await createAccessKey(idp.context, { appId: idp.appId, scopes: ['email'] });
    const client = createIdentityClient(options());
    expect(await exchangeClientCredentials(client, { scope: 'email', ...pair })).toMatchObject({
      scope: 'email',
    });
    const wrong = { ...pair, accessSecret: `${pair.accessSecret}x` };
    await expect(
      exchangeClientCredentials(client, { scope: 'email', ...wrong }),
    ).rejects.toMatchObject({ code: 401 });
  });

  it('the unchanged public package completes both protocols', async () => {
    for (const protocol of ['oidc', 'oauth'] as const) {
      browser = createBrowser(REDIRECT_URI);
      const client = new AuthenticationClient({ ...options(), protocol });
      const url = client.buildAuthorizeUrl({ redirectUri: REDIRECT_URI } as never);
      const back = await enter(await passwordPage(url));
      const code = back.url.searchParams.get('code') ?? '';
      const tokens = await client.getAccessTokenByCode(code);
      const token = tokens.access_token;
      expect(await client.getUserInfoByAccessToken(token)).toMatchObject({ email: ADA.email });
      expect(
        await client.getUserInfoByAccessToken(token, { method: 'POST', tokenPlace: 'body' }),
      ).toMatchObject({ email: ADA.email });
      expect(await client.introspectToken(token)).toMatchObject({ active: true });
      expect(await client.revokeToken(token)).toBe(true);
      expect(await client.introspectToken(token)).toMatchObject({ active: false });
      await expect(client.getAccessTokenByCode(code)).rejects.toThrow('400');
    }
  });

  it('the unchanged public package exchanges tokens, checks them, and signs out', async () => {
    const client = new AuthenticationClient(options());
    const user = await client.loginByEmail(ADA.email, ADA.password);
    const idToken = user.token ?? '';
    const tokens = await client.getAccessTokenByIdToken({
      idToken,
      redirectUri: REDIRECT_URI,
    } as never);
    const accessToken: string = tokens.access_token;
    expect(await client.validateToken({ accessToken } as never)).toMatchObject({ sub: user.id });
    expect(await client.validateToken({ idToken: tokens.id_token } as never)).toMatchObject({
      sub: user.id,
    });
    const pair = await createAccessKey(idp.context, { appId: idp.appId, scopes: ['email'] });
    expect(await client.getAccessTokenByClientCredentials('email', pair)).toMatchObject({
      scope: 'email',
    });
    const url = client.buildLogoutUrl({
      expert: true,
      redirectUri: REDIRECT_URI,
      idToken: tokens.id_token,
    });
    const page = await browser.open(url);
    const out = await browser.submit(page, '', { logout: 'yes' });
    expect(out.url.href).toBe(REDIRECT_URI);
  });

  it('[idp-clients-6] pages of the application can read responses, other pages cannot', async () => {
    const ask = (origin: string) =>
      fetch(`${idp.host}/oidc/me`, { headers: { origin, authorization: 'Bearer x' } });
    const known = (await ask(new URL(REDIRECT_URI).origin)).headers;
    expect(known.get('access-control-allow-origin')).toBe(new URL(REDIRECT_URI).origin);
    expect(known.get('access-control-allow-credentials')).toBe('true');
    const strange = (await ask('https://evil.example')).headers;
    expect(strange.get('access-control-allow-origin')).toBeNull();
    const discovery = await fetch(`${idp.host}/oidc/.well-known/openid-configuration`, {
      headers: { origin: 'https://evil.example' },
    });
    expect(discovery.headers.get('access-control-allow-origin')).toBe('*');
    expect(await discovery.json()).toMatchObject({
      issuer: `${idp.host}/oidc`,
      token_endpoint: `${idp.host}/oidc/token`,
      userinfo_endpoint: `${idp.host}/oidc/me`,
      end_session_endpoint: `${idp.host}/oidc/session/end`,
    });
  });

  it('a sign-in continues when another server takes over', async () => {
    const other = fastify();
    await other.register(
      async (app) =>
        registerStandardProtocols(app, openConnections(idp.context), openFaces(idp.context)),
      {
        prefix: '/idp',
      },
    );
    await other.listen({ host: '127.0.0.1', port: 0 });
    const { port } = other.server.address() as { readonly port: number };
    try {
      const client = createIdentityClient(options());
      const { url, transaction } = startAuthorization(client);
      const page = await passwordPage(url);
      const moved = new URL(page.url);
      moved.port = String(port);
      const back = await enter({ ...page, url: moved });
      const tokens = await completeAuthorization(client, back.url.href, transaction);
      const answer = await fetch(
        `http://127.0.0.1:${port}/idp/oidc/me?access_token=${tokens.access_token}`,
      );
      expect(await answer.json()).toMatchObject({ email: ADA.email });
    } finally {
      await other.close();
    }
  });
});

describe('the sign-in page', () => {
  it('is in English and Chinese, and loads nothing from other servers', async () => {
    const client = createIdentityClient(options());
    const { url } = startAuthorization(client);
    const page = await browser.open(url);
    expect(page.body).toContain('<html lang="en-US">');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.body).not.toMatch(
      /<style|<script(?! src)| on[a-z]+=|(?:src|href)="https?:(?!\/\/127)/,
    );
    const chinese = await browser.open(`${page.url.href}?lang=zh-CN`);
    expect(chinese.body).toContain('<h1>登录</h1>');
  });

  it('[idp-page-2] shows the problem, and escapes what was entered', async () => {
    const client = createIdentityClient(options());
    const page = await passwordPage(startAuthorization(client).url);
    const account = '"><script>alert(1)</script>';
    const wrong = await browser.submit(page, 'password', { account, password: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('role="alert"');
    expect(wrong.body).toContain('Incorrect account or password');
    expect(wrong.body).not.toContain('<script>alert');
  });

  it('does not reveal whether an address has an account', async () => {
    const client = createIdentityClient(options());
    const page = await browser.open(startAuthorization(client).url);
    const nobody = await browser.submit(page, 'send', { account: 'nobody@example.com' });
    expect(nobody.status).toBe(200);
    expect(nobody.body).toContain('nobody@example.com');
    const wrong = await browser.submit(nobody, 'code', { code: '123456' });
    expect(wrong.body).toContain('Incorrect code');
  });

  it('[idp-page-4] rejects a form of another site', async () => {
    const client = createIdentityClient(options());
    const page = await passwordPage(startAuthorization(client).url);
    const forged = await browser.submit(page, 'password', {
      account: ADA.email,
      password: ADA.password,
      secret: 'a'.repeat(43),
    });
    expect(forged.status).toBe(422);
    expect(browser.cookies()).not.toContain('idp_sign_in');
  });

  it('prompts for the code of an authenticator app if the user has one', async () => {
    const eve = await idp.makeUser({ email: 'eve@example.com', password: ADA.password });
    const totps = createTotps(idp.context);
    const { secret } = await totps.associate(eve);
    await totps.confirm(eve.id, await generate({ secret, epoch: now() }), false);
    const client = createIdentityClient(options());
    const page = await passwordPage(startAuthorization(client).url);
    const fields = { account: 'eve@example.com', password: ADA.password };
    const asks = await browser.submit(page, 'password', fields);
    expect(asks.body).toContain('authenticator app');
    expect(browser.cookies()).not.toContain('idp_sign_in');
    const wrong = await browser.submit(asks, 'second-step', { code: '000000' });
    expect(wrong.status).toBe(422);
    const code = await generate({ secret, epoch: now() });
    const done = await browser.submit(wrong, 'second-step', { code });
    expect(done.url.searchParams.has('code')).toBe(true);
  });

  it('is valid only in the browser that started', async () => {
    const client = createIdentityClient(options());
    const page = await browser.open(startAuthorization(client).url);
    const stranger = await createBrowser(REDIRECT_URI).open(page.url.href);
    expect(stranger.status).toBe(410);
    expect(stranger.body).toContain('This sign-in has expired');
  });
});
