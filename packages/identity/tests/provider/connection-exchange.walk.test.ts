import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Connections } from '../../src/connections/connection.ts';
import { setCustomValues } from '../../src/custom-values/custom-value-store.ts';
import { toCustomValue } from '../../src/custom-values/custom-value.ts';
import { createBrowser, formsOf, type Browser, type BrowserPage } from './support/browser.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const ADA = { email: 'ada@corp.example', password: 'Correct horse 1' };
const SECRET = 'a secret of the application';
const PAGE = new URL(REDIRECT_URI).origin;

interface Message {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly event: { readonly source: string; readonly eventType: string };
  readonly state?: string;
}

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
afterEach(() => open[Symbol.asyncDispose]());

type Rules = Partial<Pick<Connections[number], 'trustsEmail' | 'createsUsers'>>;

/** A provider whose people may sign in with accounts of the other one. */
async function openDownstream(rules: Rules = {}): Promise<void> {
  const { host, appId } = upstream;
  const client = { clientId: appId, clientSecret: SECRET, ...rules };
  open = await openProvider({
    connections: [
      {
        ...{ protocol: 'oidc', identifier: 'corp', displayName: 'Corp' },
        ...client,
        issuer: `${host}/oidc`,
      },
      {
        ...{
          protocol: 'oauth',
          kind: 'social',
          identifier: 'buddies',
          displayName: 'Buddies',
          createsUsers: true,
        },
        ...client,
        scope: 'openid profile email',
        issuer: `${host}/oidc`,
        authorizationEndpoint: `${host}/oidc/auth`,
        tokenEndpoint: `${host}/oidc/token`,
        userinfoEndpoint: `${host}/oidc/me`,
      },
    ],
  });
  const application = await upstream.context.applications.find(appId);
  if (application === undefined) throw new Error('the other provider has no application');
  await upstream.context.applications.save({
    ...application,
    redirectUris: [
      `${open.host}/connections/oidc/corp/callback`,
      `${open.host}/connections/social/buddies/callback`,
    ],
  });
}

interface PublicConfig {
  readonly userPoolId: string;
  readonly identityProviders: readonly {
    readonly protocol: string;
    readonly identifier: string;
    readonly config: Readonly<Record<string, string>>;
  }[];
  readonly socialConnections: readonly { readonly identifier: string }[];
}

async function publicConfig(): Promise<PublicConfig> {
  const reply = await fetch(`${open.host}/api/v2/applications/${open.appId}/public-config`);
  return ((await reply.json()) as { data: PublicConfig }).data;
}

const random = (): string => randomBytes(16).toString('hex');

/** What the published client does before its window goes to the provider (identity-sdk.md, section 12). */
async function announce(
  state: string,
  { referer = `${PAGE}/login`, providerIentifier = 'corp' } = {},
): Promise<{ readonly code: number }> {
  const reply = await fetch(`${open.host}/api/v2/connections/oidc/start-interaction`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      state,
      protocol: 'oidc',
      userPoolId: (await publicConfig()).userPoolId,
      appId: open.appId,
      referer,
      connection: { providerIentifier },
    }),
  });
  return (await reply.json()) as { code: number };
}

async function enterpriseAddress(state: string): Promise<string> {
  const { identityProviders } = await publicConfig();
  const { config = {} } = identityProviders.find(({ identifier }) => identifier === 'corp') ?? {};
  const url = new URL(config['authorizationEdpoint'] ?? '');
  url.search = new URLSearchParams({
    state,
    client_id: config['clientId'] ?? '',
    redirect_uri: config['redirectUri'] ?? '',
    scope: config['scopes'] ?? '',
    response_type: config['responseType'] ?? '',
    nonce: random(),
  }).toString();
  return url.href;
}

/** Signs in at the other provider, to the window's last page. */
async function walk(browser: Browser, url: string, init?: RequestInit): Promise<BrowserPage> {
  const page = await browser.open(url, init);
  if (page.body.includes('window.opener')) return page;
  const form = await browser.open(`${page.url.href}?way=password`);
  const { email: account, password } = ADA;
  const next = await browser.submit(form, 'password', { account, password });
  const asksConsent = formsOf(next.body).some(({ inputs }) => inputs['act'] === 'allow');
  return asksConsent ? browser.submit(next, 'allow') : next;
}

function told(page: BrowserPage): { readonly message: Message; readonly origins: string[] } {
  const [, origins = '[]', message = '{}'] =
    /of (\[.*?\])\)window\.opener\.postMessage\((\{.*\}),origin\)/.exec(page.body) ?? [];
  return {
    origins: JSON.parse(origins) as string[],
    message: JSON.parse(message) as Message,
  };
}

const newBrowser = (): Browser => createBrowser(REDIRECT_URI);

describe('an enterprise’s OpenID Connect provider', () => {
  test('the external account creates one here, the next sign-in finds it, and only the starting page gets the user', async () => {
    await openDownstream();
    const state = random();
    expect(await announce(state)).toMatchObject({ code: 200 });
    const { message, origins } = told(await walk(newBrowser(), await enterpriseAddress(state)));
    expect(open.failures).toEqual([]);
    expect(message).toMatchObject({
      code: 200,
      state,
      event: { source: 'authing', eventType: 'enterpriseLogin' },
      data: { email: ADA.email, name: 'Ada', registerSource: ['oidc:corp'] },
    });
    expect(origins).toEqual([PAGE]);
    expect(message.data?.['token']).toMatch(/^eyJ/);
    const again = random();
    await announce(again);
    const second = told(await walk(newBrowser(), await enterpriseAddress(again)));
    expect(second.message.data?.['id']).toBe(message.data?.['id']);
  });

  test('the return URL works once, and only in the browser that started', async () => {
    await openDownstream();
    const state = random();
    await announce(state);
    const browser = newBrowser();
    const last = await walk(browser, await enterpriseAddress(state));
    const twice = await browser.open(last.url.href);
    expect(JSON.parse(twice.body)).toMatchObject({ code: 2301 });

    const other = random();
    await announce(other);
    const stopped = createBrowser(`${open.host}/connections/oidc/corp/callback`);
    const back = await walk(stopped, await enterpriseAddress(other));
    const foreign = await newBrowser().open(back.url.href);
    expect(JSON.parse(foreign.body)).toMatchObject({ code: 2302 });
  });

  test('a sign-in that was not started, or by a page of another application, is rejected', async () => {
    await openDownstream();
    const stranger = await newBrowser().open(await enterpriseAddress(random()));
    expect(JSON.parse(stranger.body)).toMatchObject({ code: 2301 });
    const referer = 'https://elsewhere.example/';
    expect(await announce(random(), { referer })).toMatchObject({ code: 2307 });
    const providerIentifier = 'nobody';
    expect(await announce(random(), { providerIentifier })).toMatchObject({ code: 2300 });
  });

  test('a sign-in that is canceled at the provider is reported here', async () => {
    await openDownstream();
    const state = random();
    await announce(state);
    const browser = newBrowser();
    const page = await browser.open(await enterpriseAddress(state));
    const { message } = told(await browser.submit(page, 'cancel'));
    expect(message).toMatchObject({ code: 2303, state });
    expect(message.data).toBeUndefined();
  });

  test('an existing address leads to its account only if the provider is trusted with addresses', async () => {
    await openDownstream();
    await open.makeUser({ email: ADA.email, emailVerified: true });
    const first = random();
    await announce(first);
    expect(told(await walk(newBrowser(), await enterpriseAddress(first))).message.code).toBe(2306);
    await open[Symbol.asyncDispose]();

    await openDownstream({ trustsEmail: true });
    const owner = await open.makeUser({ email: ADA.email, emailVerified: true });
    const state = random();
    await announce(state);
    const { message } = told(await walk(newBrowser(), await enterpriseAddress(state)));
    expect(message.data?.['id']).toBe(owner.id);
  });

  test('if only existing users are allowed, an unknown user is rejected', async () => {
    await openDownstream({ createsUsers: false });
    const state = random();
    await announce(state);
    expect(told(await walk(newBrowser(), await enterpriseAddress(state))).message.code).toBe(2305);
  });
});

describe('a social provider by OAuth 2', () => {
  test('signs in with its user information, and every page of the application can get the user', async () => {
    await openDownstream();
    expect((await publicConfig()).socialConnections).toMatchObject([{ identifier: 'buddies' }]);
    const url = `${open.host}/connections/social/buddies?app_id=${open.appId}&from_guard=1&protocol=oidc&uuid=x`;
    const { message, origins } = told(await walk(newBrowser(), url));
    expect(open.failures).toEqual([]);
    expect(message).toMatchObject({
      code: 200,
      event: { source: 'authing', eventType: 'socialLogin' },
      data: { email: ADA.email },
    });
    expect(message.state).toBeUndefined();
    expect(origins).toContain(PAGE);
    const { rows } = await open.pool.query('select * from identity.provider_identity');
    expect(rows).toMatchObject([
      { provider: 'buddies', is_social: true, user_id: message.data?.['id'] },
    ]);
  });

  test('public data contains no secret', async () => {
    await openDownstream();
    expect(JSON.stringify(await publicConfig())).not.toContain(SECRET);
  });

  test('values of a sign-in are recorded, and a sign-in with too many is rejected', async () => {
    await openDownstream();
    const along = async (customData: object): Promise<Message> => {
      const query = { app_id: open.appId, custom_data: JSON.stringify(customData) };
      const url = `${open.host}/connections/social/buddies?${new URLSearchParams(query).toString()}`;
      const init = { headers: { referer: `${PAGE}/login` } };
      return told(await walk(newBrowser(), url, init)).message;
    };
    const { code, data } = await along({ team: 'red' });
    expect(code).toBe(200);
    const detail = 'custom values set: team';
    expect(open.events).toContainEqual(expect.objectContaining({ kind: 'accountChanged', detail }));
    const id = String(data?.['id']);
    const many = Array.from({ length: 99 }, (_, index) => toCustomValue(`key${index}`, index));
    await setCustomValues(open.pool, { type: 'USER', id }, many, new Date());
    expect((await along({ more: 1 })).code).toBe(2260);
    expect(await open.context.tokens.listSessions(id)).toHaveLength(1);
    expect((await along({ team: 'blue' })).code).toBe(200);
  });
});
