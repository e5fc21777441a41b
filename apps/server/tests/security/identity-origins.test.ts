import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const SHOP = 'https://shop.example';
const amplifyHeaders =
  'amz-sdk-invocation-id,amz-sdk-request,cache-control,content-type,x-amz-target,x-amz-user-agent';

let portal: TestServer;
let shopPortal: TestServer;
beforeAll(async () => {
  [portal, shopPortal] = await Promise.all([
    startTestServer(),
    startTestServer([], { DEVICEPORTAL_IDENTITY_ORIGINS: SHOP }),
  ]);
});
afterAll(() => Promise.all([portal, shopPortal].map((each) => each[Symbol.asyncDispose]())));

const ask = ({ url }: TestServer, origin: string, path = '/identity'): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      origin,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.GetUser',
    },
    body: '{"AccessToken":"none"}',
  });

const preflight = ({ url }: TestServer, origin: string, path = '/identity'): Promise<Response> =>
  fetch(url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': amplifyHeaders,
    },
  });

const corsOf = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-allow'));

describe('a page of an allowed origin', () => {
  it.each([
    ['http://localhost:3000', '/identity'],
    ['http://127.0.0.1:5173', '/identity/'],
    ['https://localhost', '/identity'],
    ['http://[::1]:8080', '/identity'],
  ])('%s is answered as by a hosted pool, at %s', async (origin, path) => {
    const before = await preflight(portal, origin, path);
    expect(before.status).toBe(204);
    expect(before.headers.get('access-control-allow-origin')).toBe(origin);
    expect(before.headers.get('access-control-allow-methods')).toBe('POST');
    const allowed = before.headers.get('access-control-allow-headers')?.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(amplifyHeaders.split(',')));
    const reply = await ask(portal, origin, path);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
    expect(reply.headers.get('access-control-expose-headers')).toBe(
      'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
    );
    expect(reply.headers.get('x-amzn-errortype')).toBe('NotAuthorizedException:');
  });

  it('gets no cookies sent, and no answer that a cache gives to another origin', async () => {
    for (const reply of [await preflight(shopPortal, SHOP), await ask(shopPortal, SHOP)]) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(SHOP);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
      expect(reply.headers.get('vary')).toBe('Origin');
    }
    const { userPoolId } = (await (await fetch(`${shopPortal.url}/api/config`)).json()) as {
      readonly userPoolId: string;
    };
    const keys = `${shopPortal.url}/identity/${userPoolId}/.well-known/jwks.json`;
    const cached = await fetch(keys);
    expect(cached.headers.get('vary')).toBe('Origin');
    const read = await fetch(keys, { headers: { origin: SHOP } });
    expect(read.headers.get('access-control-allow-origin')).toBe(SHOP);
  });

  it('can call nothing but the pools', async () => {
    for (const path of ['/api/trpc/session.get', '/api/config', '/idp', '/outbox/messages']) {
      expect(corsOf(await preflight(shopPortal, SHOP, path))).toEqual([]);
      expect(corsOf(await fetch(shopPortal.url + path, { headers: { origin: SHOP } }))).toEqual([]);
    }
  });
});

describe('a page of another origin gets nothing', () => {
  const attacks: readonly [string, () => TestServer, string][] = [
    ['a page without an origin', () => portal, 'null'],
    ['a host that begins like this machine', () => portal, 'http://localhost.evil.example'],
    ['an address that begins like this machine', () => portal, 'http://127.0.0.1.evil.example'],
    ['a host that ends like this machine', () => portal, 'http://evil-localhost'],
    ['this machine as user info', () => portal, 'http://localhost@evil.example'],
    ['a path that names this machine', () => portal, 'http://evil.example/localhost'],
    ['another scheme on this machine', () => portal, 'ftp://localhost'],
    ['an extension', () => portal, 'chrome-extension://localhost'],
    ['any address', () => portal, 'http://0.0.0.0:8080'],
    ['a wildcard', () => portal, '*'],
    ['two origins', () => portal, 'http://localhost:3000, http://evil.example'],
    ['a website, by default', () => portal, SHOP],
    ['another port', () => shopPortal, `${SHOP}:8443`],
    ['the default port, spelled out', () => shopPortal, `${SHOP}:443`],
    ['without TLS', () => shopPortal, 'http://shop.example'],
    ['a subdomain', () => shopPortal, 'https://www.shop.example'],
    ['a longer name', () => shopPortal, `${SHOP}.evil.example`],
    ['a name that ends alike', () => shopPortal, 'https://evilshop.example'],
    ['other capitals', () => shopPortal, 'https://SHOP.example'],
    ['a slash', () => shopPortal, `${SHOP}/`],
    ['this machine, where origins are set', () => shopPortal, 'http://localhost:3000'],
  ];
  it.each(attacks)('%s', async (_what, server, origin) => {
    const before = await preflight(server(), origin);
    expect(before.status).toBe(403);
    expect(corsOf(before)).toEqual([]);
    const reply = await ask(server(), origin);
    expect(reply.status).toBe(400);
    expect(corsOf(reply)).toEqual([]);
  });
});
