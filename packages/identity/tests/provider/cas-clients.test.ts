import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tellCasServices } from '../../src/cas/tell-cas-services.ts';
import { createBrowser, type Browser, type BrowserPage } from './support/browser.ts';
import {
  startCasClientApplication,
  startPassportApplication,
  type StartedCasApplication,
} from './support/cas-applications.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const ADA = { email: 'ada@example.com', password: 'Correct horse 1' };
const MINUTE_MS = 60_000;
const WAIT = { timeout: 20_000, interval: 20 };

let applications: StartedCasApplication[];
let v1: StartedCasApplication;
let v2: StartedCasApplication;
let v3: StartedCasApplication;
let passport3: StartedCasApplication;
let idp: OpenProvider;
let browser: Browser;
let userId: string;

/** Answers as a service that is down, until it is well again. */
const deaf = { status: 503, calls: 0 };
const deafServer = createServer((_request, response) => {
  deaf.calls += 1;
  response.writeHead(deaf.status).end();
});

beforeAll(async () => {
  applications = await Promise.all([
    startPassportApplication('CAS1.0'),
    startCasClientApplication(2),
    startCasClientApplication(3),
    startPassportApplication('CAS3.0'),
  ]);
  [v1, v2, v3, passport3] = applications as [typeof v1, typeof v2, typeof v3, typeof passport3];
  await new Promise<void>((resolve) => deafServer.listen(0, '127.0.0.1', resolve));
  const addresses = [...applications.map(({ url }) => url), deafUrl()];
  idp = await openProvider({
    limits: 'off',
    application: {
      id: 'app-1',
      secret: 'a secret of the application',
      redirectUris: addresses,
      logoutRedirectUris: addresses,
    },
  });
  for (const each of applications) each.connect(prefix());
  const user = await idp.makeUser({
    ...ADA,
    username: 'ada',
    profile: { name: 'Ada <&> "Lovelace" 李' },
  });
  userId = user.id;
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await Promise.all(applications.map((each) => each[Symbol.asyncDispose]()));
  deafServer.close();
});
beforeEach(async () => {
  browser = createBrowser('about:');
  // What earlier tests left open is over, and everybody knows.
  await idp.context.tokens.endSessionsOf(userId);
  await tellCasServices(idp.context);
});

const deafUrl = (): string => `http://127.0.0.1:${(deafServer.address() as AddressInfo).port}/`;
const prefix = (): string => `${idp.host}/cas-idp/${idp.appId}`;

async function signIn(url: string, person: Browser = browser): Promise<BrowserPage> {
  const page = await person.open(url);
  const password = await person.open(`${page.url.href}?way=password`);
  return person.submit(password, 'password', { account: ADA.email, password: ADA.password });
}

/** A ticket that no application has seen. */
async function ticketFor(service: string): Promise<string> {
  const response = await fetch(`${prefix()}/login?service=${encodeURIComponent(service)}`, {
    redirect: 'manual',
    headers: { cookie: browser.cookieHeader(idp.host) },
  });
  return new URL(response.headers.get('location') ?? '').searchParams.get('ticket') ?? '';
}

async function endByOidc(): Promise<void> {
  const page = await browser.open(`${idp.host}/oidc/session/end?client_id=${idp.appId}`);
  await browser.submit(page, '', { logout: 'yes' });
}

async function endBySaml(): Promise<void> {
  const page = await browser.open(`${idp.host}/api/v2/saml-idp/${idp.appId}/logout`);
  expect(page.body).toContain('You are signed out');
}

describe('third-party CAS client libraries', () => {
  it('users who open an application sign in and return to it, by CAS 1, 2, and 3', async () => {
    const seen = await signIn(v3.url);
    expect(seen.url.href).toBe(v3.url);
    expect(JSON.parse(seen.body)).toMatchObject({
      user: userId,
      attributes: { email: ADA.email, name: 'Ada <&> "Lovelace" 李', preferred_username: 'ada' },
    });
    // The others need no further sign-in.
    expect(JSON.parse((await browser.open(v1.url)).body)).toEqual({ user: userId });
    expect(JSON.parse((await browser.open(v2.url)).body)).toEqual({ user: userId });
    expect(JSON.parse((await browser.open(passport3.url)).body)).toMatchObject({
      user: userId,
      attributes: { email: ADA.email, name: 'Ada <&> "Lovelace" 李' },
    });
  });

  it('an application rejects a ticket of another service, a used one, and an invented one', async () => {
    await signIn(v3.url);
    for (const [application, refusal] of [
      [v1, 'Authentication rejected'],
      [passport3, 'INVALID_SERVICE'],
    ] as const) {
      const stolen = await ticketFor(v3.url);
      const page = await fetch(`${application.url}?ticket=${stolen}`);
      expect([page.status, await page.text()]).toEqual([401, expect.stringContaining(refusal)]);
    }
    const ticket = await ticketFor(passport3.url);
    expect((await fetch(`${passport3.url}?ticket=${ticket}`)).status).toBe(200);
    for (const bad of [ticket, 'ST-invented']) {
      const again = await fetch(`${passport3.url}?ticket=${bad}`);
      expect(await again.text()).toContain('INVALID_TICKET');
      const elsewhere = await fetch(`${v3.url}?ticket=${bad}`, { redirect: 'manual' });
      expect(elsewhere.status).toBe(401);
    }
  });

  it('a user who signs out at the provider is signed out of the applications and redirected as requested', async () => {
    await signIn(v3.url);
    await browser.open(v2.url);
    const told = [v2.told(), v3.told()];
    const page = await browser.open(`${prefix()}/logout?service=${encodeURIComponent(v1.url)}`);
    // The application asks who is there, and nobody is.
    expect(page.body).toContain('Sign in');
    await expect.poll(() => [v2.told(), v3.told()], WAIT).toEqual(told.map((count) => count + 1));
    for (const application of [v2, v3]) {
      const asked = await browser.open(application.url);
      expect([asked.url.pathname, asked.body.includes('Sign in')]).toEqual([
        expect.stringContaining('/idp/interaction/'),
        true,
      ]);
    }
    const evil = await browser.open(`${prefix()}/logout?url=https://evil.example/`);
    expect(evil.body).toContain('You are signed out');
    expect(idp.failures).toEqual([]);
  });

  it.each([
    ['OpenID Connect', endByOidc],
    ['SAML', endBySaml],
  ])('an application with only CAS is notified of a sign-out by %s', async (_name, signOut) => {
    const { applications: kept } = idp.context;
    const own = await kept.find(idp.appId);
    if (own === undefined) throw new Error('the application of the test is missing');
    const id = randomUUID();
    const only = await startCasClientApplication(3);
    try {
      only.connect(`${idp.host}/cas-idp/${id}`);
      await kept.save({ ...own, appId: id, redirectUris: [only.url], protocols: ['cas'] });
      await signIn(only.url);
      await signOut();
      await expect.poll(() => only.told(), WAIT).toBe(1);
    } finally {
      await only[Symbol.asyncDispose]();
    }
  });

  it('a sign-out in one browser does not affect another browser of the same user', async () => {
    const other = createBrowser('about:');
    await signIn(v3.url);
    await signIn(v3.url, other);
    const told = v3.told();
    await browser.open(`${prefix()}/logout`);
    await expect.poll(() => v3.told(), WAIT).toBe(told + 1);
    expect(JSON.parse((await other.open(v3.url)).body)).toMatchObject({ user: userId });
  });

  it('applications are notified once of a sign-in that ended otherwise, also with two servers', async () => {
    await signIn(v3.url);
    const told = v3.told();
    await idp.context.tokens.endSessionsOf(userId);
    await Promise.all([tellCasServices(idp.context), tellCasServices(idp.context)]);
    expect(v3.told()).toBe(told + 1);
    expect((await browser.open(v3.url)).body).toContain('Sign in');
  });

  it('an unavailable application is notified when it is available again', async () => {
    await signIn(v3.url);
    const ticket = await ticketFor(deafUrl());
    const query = new URLSearchParams({ ticket, service: deafUrl() });
    await fetch(`${prefix()}/serviceValidate?${query.toString()}`);
    await idp.context.tokens.endSessionsOf(userId);
    await tellCasServices(idp.context);
    await tellCasServices(idp.context);
    expect(deaf.calls).toBe(1);
    deaf.status = 200;
    idp.clock.advance(MINUTE_MS);
    await tellCasServices(idp.context);
    idp.clock.advance(10 * MINUTE_MS);
    await tellCasServices(idp.context);
    expect(deaf.calls).toBe(2);
    expect(idp.failures).toEqual([]);
  });

  it('an application is notified of an expired sign-in, and not before', async () => {
    await signIn(v3.url);
    const told = v3.told();
    const due = async () => {
      const rows = await idp.pool.query(
        'select from identity.provider_cas_service where next_at <= $1',
        [new Date(idp.clock.now())],
      );
      return rows.rowCount;
    };
    expect(await due()).toBe(0);
    await tellCasServices(idp.context);
    expect(v3.told()).toBe(told);
    idp.clock.advance(idp.provider.settings.sessionSeconds * 1_000);
    expect(await due()).toBe(1);
    await tellCasServices(idp.context);
    expect(v3.told()).toBe(told + 1);
  });
});
