import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { AuthenticationClient } from 'authing-js-sdk';
import * as oidc from 'openid-client';
import { generate } from 'otplib';
import { freshName, freshPhone } from './fresh-names.ts';
import { createBrowser, type Browser, type BrowserPage } from './browser.ts';
import { REDIRECT_URI, type OpenProvider } from './open-provider.ts';
import { createPhone, scanPicture } from './phone.ts';

const SECRET = 'a secret of the application';
const PASSWORD = 'Correct horse 1';
const totpOf = { authenticatorType: 'totp', source: 'SELF' } as const;

/** A person uses everything that the provider has, by unchanged clients and a browser. */
export async function travelProvider(idp: OpenProvider): Promise<void> {
  const email = `${freshName()}@example.com`;
  await idp.makeUser({ email, emailVerified: true, password: PASSWORD });
  await useAccount(idp, email);
  await register(idp);
  await scanCode(idp, email);
  await signInByOidc(idp, email);
  await signInByCas(idp, email);
  await signInBySaml(idp, email);
}

async function useAccount(idp: OpenProvider, email: string): Promise<void> {
  const { appId, host } = idp;
  const client = new AuthenticationClient({ appId, appHost: host });
  await client.loginByEmail(email, PASSWORD);
  const name = freshName();
  await client.updateProfile({ nickname: name, company: 'ACME' });
  await client.setUdfValue({ school: 'MIT' });
  await client.getUdfValue();
  await client.checkPasswordStrength(PASSWORD);
  await client.checkLoginStatus();
  await client.getCurrentUser();
  await client.getSecurityLevel();
  await client.listApplications();
  await client.listOrgs();
  await client.principal.detail();
  await client.event.pub('journey', 'on');
  await client.updatePassword(PASSWORD, PASSWORD);
  await client.loginByEmail(email, PASSWORD);
  const { secret } = await client.mfa.assosicateMfaAuthenticator(totpOf as never);
  const totp = await generate({ secret, epoch: Math.floor(idp.clock.now() / 1_000) });
  await client.mfa.confirmAssosicateMfaAuthenticator({ ...totpOf, totp } as never);
  await client.mfa.getMfaAuthenticators(totpOf as never);
  await client.mfa.deleteMfaAuthenticator();
  await client.sendEmail(email, 'RESET_PASSWORD' as never);
  await client.resetPasswordByEmailCode(email, idp.codeFor(email), PASSWORD);
  const body = new FormData();
  body.set('file', new Blob(['GIF89a']), 'a.gif');
  await fetch(`${host}/api/v2/upload?folder=avatar`, { method: 'POST', body });
}

async function register({ appId, host, ...idp }: OpenProvider): Promise<void> {
  const client = new AuthenticationClient({ appId, appHost: host });
  const phone = freshPhone();
  await client.sendSmsCode(phone, '+86', 'register' as never);
  await client.registerByPhoneCode(phone, idp.codeFor(`+86${phone}`), PASSWORD);
  await client.sendSmsCode(phone);
  await client.loginByPhoneCode(phone, idp.codeFor(phone)).catch(() => {});
  await client.registerByUsername(freshName(), PASSWORD);
  await client.registerByEmail(`${freshName()}@example.com`, PASSWORD);
  await client.logout();
}

async function scanCode(idp: OpenProvider, email: string): Promise<void> {
  const { qrcode } = new AuthenticationClient({ appId: idp.appId, appHost: idp.host });
  const phone = createPhone(idp);
  const { random, url } = await qrcode.geneCode();
  const address = await scanPicture(url);
  await phone.signIn(address, email);
  await phone.press(address, 'confirm');
  const { ticket } = await qrcode.checkStatus(random);
  await qrcode.exchangeUserInfo(ticket ?? '');
}

async function signIn(browser: Browser, url: string, email: string): Promise<BrowserPage> {
  const page = await browser.open(url);
  const password = await browser.open(`${page.url.href}?way=password`);
  return browser.submit(password, 'password', { account: email, password: PASSWORD });
}

async function signInByOidc(idp: OpenProvider, email: string): Promise<void> {
  const config = await oidc.discovery(
    new URL(`${idp.host}/oidc`),
    idp.appId,
    SECRET,
    oidc.ClientSecretPost(SECRET),
    { execute: [oidc.allowInsecureRequests] },
  );
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email phone address roles',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const done = await signIn(createBrowser(REDIRECT_URI), url.href, email);
  const tokens = await oidc.authorizationCodeGrant(config, done.url, {
    pkceCodeVerifier: verifier,
    expectedState: 'state-1',
    expectedNonce: 'nonce-1',
    idTokenExpected: true,
  });
  await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
  await oidc.tokenIntrospection(config, tokens.access_token);
  await oidc.tokenRevocation(config, tokens.access_token);
}

async function signInByCas(idp: OpenProvider, email: string): Promise<void> {
  const browser = createBrowser(REDIRECT_URI);
  const place = `${idp.host}/cas-idp/${idp.appId}`;
  const service = encodeURIComponent(`${REDIRECT_URI}?from=cas`);
  const { url } = await signIn(browser, `${place}/login?service=${service}`, email);
  const ticket = url.searchParams.get('ticket') ?? '';
  for (const check of ['validate', 'serviceValidate', 'p3/serviceValidate'])
    await browser.open(`${place}/${check}?service=${service}&ticket=${ticket}`);
  await browser.open(`${idp.host}/cas/session`);
  await browser.open(
    `${idp.host}/login/profile/logout?redirect_uri=${encodeURIComponent(REDIRECT_URI)}`,
  );
}

async function signInBySaml(idp: OpenProvider, email: string): Promise<void> {
  const place = `${idp.host}/api/v2/saml-idp/${idp.appId}`;
  const metadata = await (await fetch(`${place}/metadata`)).text();
  const idpCert = /<(?:ds:)?X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '';
  const issuer = 'https://service.example/metadata';
  const provider = new SAML({
    ...{ callbackUrl: REDIRECT_URI, entryPoint: place, issuer, idpCert },
    ...{ audience: issuer, idpIssuer: `${place}/metadata`, logoutUrl: `${place}/logout` },
    validateInResponseTo: ValidateInResponseTo.never,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
  });
  const browser = createBrowser(REDIRECT_URI);
  await signIn(browser, await provider.getAuthorizeUrlAsync('state', undefined, {}), email);
  await browser.open(place, {
    method: 'POST',
    body: new URLSearchParams({ SAMLRequest: samlRequest(issuer) }),
  });
  const profile = { nameID: email, nameIDFormat: '', issuer } as never;
  await browser.open(await provider.getLogoutUrlAsync(profile, 'bye', {}));
}

const samlRequest = (issuer: string): string =>
  Buffer.from(
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" AssertionConsumerServiceURL="${REDIRECT_URI}"><saml:Issuer>${issuer}</saml:Issuer></samlp:AuthnRequest>`,
  ).toString('base64');
