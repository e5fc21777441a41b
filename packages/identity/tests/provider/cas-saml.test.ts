import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildAuthorizeUrl,
  buildLogoutUrl,
  createIdentityClient,
  trackSession,
  validateTicketV1,
  validateTicketV2,
} from '../../../identity-client/src/index.ts';
import { saveSamlService } from '../../src/saml/saml-services.ts';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';
import { makeSamlKey } from './support/saml-key.ts';

const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };
const SERVICE = `${REDIRECT_URI}?from=cas`;

let idp: OpenProvider;
let browser: Browser;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  await idp.makeUser({ ...ADA, username: 'ada', profile: { name: 'Ada <&> Lovelace' } });
});
afterAll(() => idp[Symbol.asyncDispose]());
beforeEach(() => {
  browser = createBrowser(REDIRECT_URI);
});

async function signIn(url: string): Promise<BrowserPage> {
  const page = await browser.open(url);
  const password = await browser.open(`${page.url.href}?way=password`);
  return browser.submit(password, 'password', { account: ADA.email, password: ADA.password });
}

describe('CAS', () => {
  const client = () =>
    createIdentityClient({ appId: idp.appId, appHost: idp.host, protocol: 'cas' });
  const ticketFor = async (url = buildAuthorizeUrl(client(), { service: SERVICE })) =>
    (await signIn(url)).url.searchParams.get('ticket') ?? '';

  it('a user signs in for a service, which gets the user', async () => {
    const back = await signIn(buildAuthorizeUrl(client(), { service: SERVICE }));
    expect(back.url.searchParams.get('from')).toBe('cas');
    const ticket = back.url.searchParams.get('ticket') ?? '';
    const said = await validateTicketV2(client(), { ticket, service: SERVICE });
    expect(said).toMatchObject({
      serviceResponse: {
        authenticationSuccess: { attributes: { email: ADA.email, preferred_username: 'ada' } },
      },
    });
  });

  it('a ticket is valid once, for its own service only, and for a short time', async () => {
    const ticket = await ticketFor();
    expect(await validateTicketV1(client(), { ticket, service: SERVICE })).toEqual({ valid: true });
    expect(await validateTicketV1(client(), { ticket, service: SERVICE })).toMatchObject({
      valid: false,
    });
    const next = async () =>
      (await browser.open(buildAuthorizeUrl(client(), { service: SERVICE }))).url.searchParams.get(
        'ticket',
      ) ?? '';
    const stolen = await next();
    const elsewhere = { ticket: stolen, service: 'https://evil.example/' };
    expect(await validateTicketV2(client(), elsewhere)).toMatchObject({
      serviceResponse: { authenticationFailure: { code: 'INVALID_SERVICE' } },
    });
    expect(await validateTicketV1(client(), { ticket: stolen, service: SERVICE })).toMatchObject({
      valid: false,
    });
    const old = await next();
    idp.clock.advance(61_000);
    expect(await validateTicketV1(client(), { ticket: old, service: SERVICE })).toMatchObject({
      valid: false,
    });
    idp.clock.advance(-61_000);
  });

  it('the unchanged public package checks tickets, as text, XML and object', async () => {
    const options = { appId: idp.appId, appHost: idp.host, protocol: 'cas' as const };
    const sdk = new AuthenticationClient(options);
    expect(await sdk.validateTicketV1(await ticketFor(), SERVICE)).toEqual({ valid: true });
    browser = createBrowser(REDIRECT_URI);
    const xml: unknown = await sdk.validateTicketV2(await ticketFor(), SERVICE, 'XML' as never);
    expect(xml).toContain('<cas:email>ada@example.com</cas:email>');
    expect(xml).toContain('Ada &#60;&#38;&#62; Lovelace');
    const bad: unknown = await sdk.validateTicketV2('ST-x', SERVICE, 'JSON' as never);
    expect(bad).toMatchObject({
      serviceResponse: { authenticationFailure: { code: 'INVALID_TICKET' } },
    });
  });

  it('[idp-cas-4] a service URL that is not registered for the application gets no ticket', async () => {
    for (const service of ['https://evil.example/callback', `${REDIRECT_URI}/../evil`, 'x']) {
      const page = await browser.open(buildAuthorizeUrl(client(), { service }));
      expect(page.status).toBe(400);
    }
  });

  it('[idp-cas-5] gateway returns without a ticket, and renew prompts again', async () => {
    const url = buildAuthorizeUrl(client(), { service: SERVICE });
    const silent = await browser.open(`${url}&gateway=true`);
    expect(silent.url.href).toBe(SERVICE);
    await signIn(url);
    const asked = await browser.open(`${url}&renew=true`);
    expect(asked.body).toContain('Sign in');
    const ticket = await ticketFor(`${url}&renew=true`);
    const place = `${idp.host}/cas-idp/${idp.appId}/validate?renew=true&service=${encodeURIComponent(SERVICE)}`;
    expect(await (await fetch(`${place}&ticket=${ticket}`)).text()).toMatch(/^yes\n/);
    const silently = (await browser.open(url)).url.searchParams.get('ticket');
    expect(await (await fetch(`${place}&ticket=${silently}`)).text()).toMatch(/^no\n/);
  });

  it('[idp-cas-7] renew overrides gateway, and gateway returns an existing sign-in', async () => {
    const url = buildAuthorizeUrl(client(), { service: SERVICE });
    await signIn(url);
    const silent = await browser.open(`${url}&gateway=true`);
    expect(silent.url.searchParams.get('ticket')).toMatch(/^ST-/);
    const asked = await browser.open(`${url}&gateway=true&renew=true`);
    expect(asked.body).toContain('Sign in');
  });

  it('the session is visible until the user signs out, which ends it for all protocols', async () => {
    expect(await trackSession(client())).toEqual({ session: null, userInfo: null });
    const ticket = await ticketFor();
    const seen = await browser.open(`${idp.host}/cas/session`);
    expect(JSON.parse(seen.body)).toMatchObject({
      session: { appId: idp.appId },
      userInfo: { email: ADA.email, token: null },
    });
    const out = await browser.open(buildLogoutUrl(client(), { redirectUri: REDIRECT_URI }));
    expect(out.url.href).toBe(REDIRECT_URI);
    expect(await validateTicketV1(client(), { ticket, service: SERVICE })).toMatchObject({
      valid: false,
    });
    const evil = await browser.open(
      `${idp.host}/login/profile/logout?redirect_uri=https://evil.example/`,
    );
    expect(evil.body).toContain('You are signed out');
  });
});

describe('SAML', () => {
  const place = () => `${idp.host}/api/v2/saml-idp/${idp.appId}`;

  async function serviceProvider(settings: object = {}): Promise<SAML> {
    const metadata = await (await fetch(`${place()}/metadata`)).text();
    const certificate = /<(?:ds:)?X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '';
    return new SAML({
      callbackUrl: REDIRECT_URI,
      entryPoint: place(),
      issuer: 'https://service.example/metadata',
      audience: 'https://service.example/metadata',
      idpCert: certificate,
      idpIssuer: `${place()}/metadata`,
      validateInResponseTo: ValidateInResponseTo.always,
      disableRequestedAuthnContext: true,
      identifierFormat: null,
      ...settings,
    });
  }

  const responseOf = ({ body }: BrowserPage): Record<string, string> => {
    const form = formsOf(body).find(({ inputs }) => 'SAMLResponse' in inputs);
    expect(form?.action).toBe(REDIRECT_URI);
    return form?.inputs ?? {};
  };

  it('a user signs in for a service provider, which accepts the signed assertion', async () => {
    const sp = await serviceProvider();
    const page = await signIn(await sp.getAuthorizeUrlAsync('state & more', undefined, {}));
    const sent = responseOf(page);
    expect(sent['RelayState']).toBe('state & more');
    const { profile } = await sp.validatePostResponseAsync(sent);
    expect(profile).toMatchObject({ email: ADA.email, name: 'Ada <&> Lovelace' });
    const user = await idp.context.users.findBy('email', ADA.email);
    expect(profile?.nameID).toBe(user?.id);
    // A response answers one request: the second time it is a replay.
    await expect(sp.validatePostResponseAsync(sent)).rejects.toThrow('InResponseTo');
  });

  it('a POST request and an unsolicited sign-in are also answered', async () => {
    const sp = await serviceProvider({ skipRequestCompression: true });
    const form = formsOf(await sp.getAuthorizeFormAsync('by form'))[0];
    const asked = await browser.open(place(), {
      method: 'POST',
      body: new URLSearchParams(form?.inputs),
    });
    expect(asked.status).toBe(200);
    const page = await signIn(asked.url.href);
    const { profile } = await sp.validatePostResponseAsync(responseOf(page));
    expect(profile?.['email']).toBe(ADA.email);
    const own = await serviceProvider({
      validateInResponseTo: ValidateInResponseTo.never,
      audience: REDIRECT_URI,
    });
    const begun = await browser.open(place());
    expect((await own.validatePostResponseAsync(responseOf(begun))).profile?.['email']).toBe(
      ADA.email,
    );
  });

  it('a changed, foreign, or expired assertion is rejected', async () => {
    const sp = await serviceProvider({ validateInResponseTo: ValidateInResponseTo.never });
    const page = await signIn(await sp.getAuthorizeUrlAsync('', undefined, {}));
    const sent = responseOf(page);
    const xml = Buffer.from(sent['SAMLResponse'] ?? '', 'base64').toString('utf8');
    const changed = Buffer.from(xml.replaceAll(ADA.email, 'eve@example.com')).toString('base64');
    await expect(sp.validatePostResponseAsync({ SAMLResponse: changed })).rejects.toThrow(
      /[Ss]ignature/,
    );
    const other = await serviceProvider({
      audience: 'https://other.example/',
      validateInResponseTo: ValidateInResponseTo.never,
    });
    await expect(other.validatePostResponseAsync(sent)).rejects.toThrow('audience');
    idp.clock.advance(-10 * 60_000);
    const old = await browser.open(await sp.getAuthorizeUrlAsync('', undefined, {}));
    idp.clock.advance(10 * 60_000);
    await expect(sp.validatePostResponseAsync(responseOf(old))).rejects.toThrow('expired');
  });

  it('[idp-saml-4] hostile messages are rejected before their content is used', async () => {
    const id = `_${randomBytes(8).toString('hex')}`;
    const request = (head: string, inner: string, acs = REDIRECT_URI): string =>
      `${head}<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" AssertionConsumerServiceURL="${acs}"><saml:Issuer>sp</saml:Issuer>${inner}</samlp:AuthnRequest>`;
    const hostile = [
      request('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>', '&a;'),
      request('<?xml-stylesheet href="x"?>', ''),
      request('', request('', '')),
      request('', `<samlp:Extensions ID="${id}"/>`),
      request('', '<samlp:Response/>'),
      request('', '', 'https://evil.example/acs'),
      '<a>',
      'x'.repeat(70_000),
    ];
    for (const xml of hostile) {
      const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') });
      const page = await browser.open(`${place()}?${query.toString()}`);
      expect([page.status, xml.slice(0, 60)]).toEqual([400, xml.slice(0, 60)]);
    }
    const bomb = deflateRawSync(Buffer.alloc(50_000_000, 'a')).toString('base64');
    const query = new URLSearchParams({ SAMLRequest: bomb.slice(0, 16_000) });
    expect((await browser.open(`${place()}?${query.toString()}`)).status).toBe(400);
    expect(idp.failures).toEqual([]);
  });

  it('a service provider with a registered certificate must sign its requests', async () => {
    const { privateKey, certificate } = await makeSamlKey();
    await saveSamlService(idp.context, {
      appId: idp.appId,
      entityId: 'https://service.example/metadata',
      acsUrls: [REDIRECT_URI],
      logoutUrl: REDIRECT_URI,
      certificate,
    });
    const unsigned = await serviceProvider();
    const refused = await browser.open(await unsigned.getAuthorizeUrlAsync('', undefined, {}));
    expect(refused.status).toBe(400);
    const sp = await serviceProvider({
      privateKey,
      signatureAlgorithm: 'sha256',
      logoutUrl: `${place()}/logout`,
    });
    const page = await signIn(await sp.getAuthorizeUrlAsync('signed', undefined, {}));
    const { profile } = await sp.validatePostResponseAsync(responseOf(page));
    if (profile === null) throw new Error('the response said nobody');
    const out = await browser.open(await sp.getLogoutUrlAsync(profile, 'bye', {}));
    expect(out.url.searchParams.get('RelayState')).toBe('bye');
    expect(out.url.searchParams.has('SAMLResponse')).toBe(true);
    const session = await browser.open(`${idp.host}/cas/session`);
    expect(JSON.parse(session.body)).toEqual({ session: null, userInfo: null });
  });
});
