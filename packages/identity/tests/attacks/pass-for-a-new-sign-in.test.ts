import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSamlUpstream } from '../../src/connections/upstream/saml-upstream.ts';
import { createBrowser, type Browser } from '../provider/support/browser.ts';
import {
  openProvider,
  REDIRECT_URI,
  type OpenProvider,
} from '../provider/support/open-provider.ts';

const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };

let idp: OpenProvider;
let browser: Browser;
beforeEach(async () => {
  idp = await openProvider({ limits: 'off' });
  await idp.makeUser(ADA);
  browser = createBrowser(REDIRECT_URI);
});
afterEach(() => idp[Symbol.asyncDispose]());

const login = (): string =>
  `${idp.host}/cas-idp/${idp.appId}/login?service=${encodeURIComponent(REDIRECT_URI)}`;

/** Signs in where the page asks for it. */
async function signInAt(address: string): Promise<URL> {
  const page = await browser.open(address);
  const password = await browser.open(`${page.url.href}?way=password`);
  return (
    await browser.submit(password, 'password', { account: ADA.email, password: ADA.password })
  ).url;
}

async function isTakenAsNew(ticket: string): Promise<boolean> {
  const query = new URLSearchParams({ service: REDIRECT_URI, ticket, renew: 'true' });
  const reply = await fetch(`${idp.host}/cas-idp/${idp.appId}/validate?${query}`);
  return (await reply.text()).startsWith('yes');
}

/** The id under which a service waits since the page was opened with `renew`. */
async function newestWaiting(): Promise<string> {
  const issue = idp.context.tickets.issue;
  let id = '';
  idp.context.tickets.issue = async (ticket) => {
    const issued = await issue(ticket);
    if (ticket.purpose === 'cas-sign-in') id = issued;
    return issued;
  };
  await browser.open(`${login()}&renew=true`);
  idp.context.tickets.issue = issue;
  return id;
}

const resume = (id: string) => browser.open(`${idp.host}/cas-idp/${idp.appId}/continue?id=${id}`);

test('a new sign-in is used once by a service that requires one', async () => {
  const id = await newestWaiting();
  const url = await signInAt(`${login()}&renew=true`);
  expect(await isTakenAsNew(url.searchParams.get('ticket') ?? '')).toBe(true);
  expect((await resume(id)).url.searchParams.get('ticket')).toMatch(/^ST-/);
  expect((await resume(id)).url.searchParams.has('ticket')).toBe(false);
});

test('[cas-renew-3] a sign-in from half an hour ago is not new, even if a service was waiting for it', async () => {
  const id = await newestWaiting();
  await signInAt(login());
  idp.clock.advance(30 * 60_000);
  expect((await resume(id)).url.searchParams.has('ticket')).toBe(false);
});

test('a required new sign-in is also required of an external provider, including SAML', async () => {
  const upstream = createSamlUpstream(
    {
      ...{ protocol: 'saml', identifier: 'corp', ssoUrl: 'https://corp.example/sso' },
      ...{ idpEntityId: 'https://corp.example', certificates: ['AAAA'] },
      ...{ emailAttribute: 'email', nameAttribute: 'name' },
    } as never,
    'https://portal.example/idp',
  );
  const requestOf = async (isForced: boolean): Promise<string> => {
    const trip = { state: 's', callbackUrl: 'https://portal.example/idp/callback', isForced };
    const { url } = await upstream.begin(trip);
    const request = new URL(url).searchParams.get('SAMLRequest') ?? '';
    return inflateRawSync(Buffer.from(request, 'base64')).toString();
  };
  expect(await requestOf(true)).toContain('ForceAuthn="true"');
  expect(await requestOf(false)).not.toContain('ForceAuthn="true"');
});

test.each([
  `ForceAuthn="true"`,
  `ForceAuthn='1'`,
  `ForceAuthn = " true "`,
  `ForceAuthn="&#116;rue"`,
  `ProviderName="a > b" ForceAuthn="true"`,
])('a service provider that sends %s does not get an earlier sign-in', async (forced) => {
  await signInAt(login());
  idp.clock.advance(1_000);
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_1" Version="2.0" IssueInstant="2026-01-01T00:00:00Z" ${forced}/>`;
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') });
  const page = await browser.open(`${idp.host}/api/v2/saml-idp/${idp.appId}?${query}`);
  expect(page.url.pathname).toMatch(/\/interaction\/service\//);
});
