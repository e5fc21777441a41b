import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadSamlCertificate } from '../../src/saml/saml-certificate.ts';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const ADA = { email: 'ada@corp.example', password: 'Correct horse 1' };

let upstream: OpenProvider;
let open: OpenProvider;

beforeAll(async () => {
  upstream = await openProvider({ limits: 'off' });
  await upstream.makeUser({
    ...ADA,
    emailVerified: true,
    username: 'ada',
    profile: { name: 'Ada' },
  });
});
afterAll(() => upstream[Symbol.asyncDispose]());

/** A provider whose people may sign in with accounts of the other one, by SAML and by CAS. */
async function openDownstream(certificate?: string): Promise<void> {
  const { host, appId } = upstream;
  const at = `${host}/api/v2/saml-idp/${appId}`;
  open = await openProvider({
    connections: [
      {
        ...{ protocol: 'saml', identifier: 'corp-saml', displayName: 'Corp' },
        idpEntityId: `${at}/metadata`,
        ssoUrl: at,
        certificates: [certificate ?? (await loadSamlCertificate(upstream.context))],
      },
      {
        ...{ protocol: 'cas', identifier: 'corp-cas', displayName: 'Corp' },
        serverUrl: `${host}/cas-idp/${appId}`,
      },
    ],
  });
  const application = await upstream.context.applications.find(appId);
  if (application === undefined) throw new Error('the other provider has no application');
  await upstream.context.applications.save({
    ...application,
    redirectUris: [
      `${open.host}/connections/saml/corp-saml/callback`,
      `${open.host}/connections/cas/corp-cas/callback`,
    ],
  });
}
afterEach(() => open[Symbol.asyncDispose]());

/** Where the window of a client goes: what the public configuration says. */
async function startOf(identifier: string, field: string): Promise<string> {
  const reply = await fetch(`${open.host}/api/v2/applications/${open.appId}/public-config`);
  const { data } = (await reply.json()) as {
    data: { identityProviders: { identifier: string; config: Record<string, string> }[] };
  };
  const found = data.identityProviders.find((each) => each.identifier === identifier);
  return found?.config[field] ?? '';
}

async function walk(browser: Browser, url: string): Promise<BrowserPage> {
  const page = await browser.open(url);
  const form = await browser.open(`${page.url.href}?way=password`);
  const { email: account, password } = ADA;
  return browser.submit(form, 'password', { account, password });
}

function told(page: BrowserPage): Readonly<Record<string, unknown>> {
  const [, message = '{}'] = /postMessage\((\{.*\}),origin\)/.exec(page.body) ?? [];
  return JSON.parse(message) as Record<string, unknown>;
}

describe('SAML', () => {
  test('a signed assertion signs in, once, and the next one finds the same account', async () => {
    await openDownstream();
    const start = await startOf('corp-saml', 'samlRequest');
    const browser = createBrowser(REDIRECT_URI);
    const posting = await walk(browser, start);
    const [form] = formsOf(posting.body);
    expect(form?.inputs['SAMLResponse']).toBeDefined();
    const message = told(await browser.submit(posting, ''));
    expect(open.failures).toEqual([]);
    expect(message).toMatchObject({
      code: 200,
      event: { source: 'authing', eventType: 'enterpriseLogin' },
      data: { email: ADA.email, registerSource: ['saml:corp-saml'] },
    });
    const twice = await browser.submit(posting, '');
    expect(JSON.parse(twice.body)).toMatchObject({ code: 2301 });
    const other = createBrowser(REDIRECT_URI);
    const again = told(await other.submit(await walk(other, start), ''));
    expect(again['data']).toMatchObject({ id: (message['data'] as { id: string }).id });
  });

  test('an assertion in another browser, or for another request, does not sign in', async () => {
    await openDownstream();
    const start = await startOf('corp-saml', 'samlRequest');
    const browser = createBrowser(REDIRECT_URI);
    const posting = await walk(browser, start);
    const foreign = await createBrowser(REDIRECT_URI).submit(posting, '');
    expect(JSON.parse(foreign.body)).toMatchObject({ code: 2302 });

    const first = createBrowser(REDIRECT_URI);
    const firstPosting = await walk(first, start);
    const second = createBrowser(REDIRECT_URI);
    const secondPosting = await walk(second, start);
    const { SAMLResponse = '' } = formsOf(firstPosting.body)[0]?.inputs ?? {};
    const mixed = await second.submit(secondPosting, '', { SAMLResponse });
    expect(JSON.parse(mixed.body)).toMatchObject({ code: 2303 });
    expect(open.events.filter(({ kind }) => kind === 'signedIn')).toEqual([]);
  });

  test('[provider-connection-12] a changed assertion is rejected', async () => {
    await openDownstream();
    const browser = createBrowser(REDIRECT_URI);
    const posting = await walk(browser, await startOf('corp-saml', 'samlRequest'));
    const { SAMLResponse = '' } = formsOf(posting.body)[0]?.inputs ?? {};
    const xml = Buffer.from(SAMLResponse, 'base64').toString();
    const forged = Buffer.from(xml.replaceAll(ADA.email, 'eve@corp.example')).toString('base64');
    const answer = await browser.submit(posting, '', { SAMLResponse: forged });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 2303 });
  });
});

describe('CAS', () => {
  test('a ticket signs in once, and only in the browser that started', async () => {
    await openDownstream();
    const start = await startOf('corp-cas', 'casConnectionLoginUrl');
    const browser = createBrowser(REDIRECT_URI);
    const last = await walk(browser, start);
    const message = told(last);
    expect(open.failures).toEqual([]);
    expect(message).toMatchObject({
      code: 200,
      data: { email: ADA.email, registerSource: ['cas:corp-cas'] },
    });
    expect(JSON.parse((await browser.open(last.url.href)).body)).toMatchObject({ code: 2301 });
  });
});
