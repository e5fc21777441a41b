import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const TOKEN = 'a-token-of-operations';
let portal: TestServer;
let port: number;

beforeAll(async () => {
  portal = await startTestServer(['--host', '0.0.0.0'], {
    DEVICEPORTAL_OPERATIONS_TOKEN: TOKEN,
    DEVICEPORTAL_TRUST_PROXY: '192.0.2.0/24',
    DEVICEPORTAL_PUBLIC_URL: 'https://portal.example',
  });
  port = Number(new URL(portal.server.address).port);
});
afterAll(() => portal[Symbol.asyncDispose]());

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Features that Chromium and Safari know: each unknown one is a warning in the console of everybody.
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), bluetooth=()',
  'strict-transport-security': 'max-age=31536000',
};

describe('every answer', () => {
  test.each([
    ['a page', 'GET', '/devices', [200, 503]],
    ['the sign-in page', 'GET', '/signin', [200, 503]],
    ['a file that is gone', 'GET', '/assets/old.js', [404]],
    ['the product API', 'GET', '/api/trpc/session.get', [401]],
    ['an unknown procedure, without a session', 'GET', '/api/trpc/no.such', [401]],
    ['what the browser must know', 'GET', '/api/config', [200]],
    ['the user pool', 'POST', '/identity', [400]],
    ['a key set', 'GET', '/identity/us-east-1_DevicePortal/.well-known/jwks.json', [200]],
    ['a download', 'GET', '/exports/nothing.csv', [404]],
    ['an artifact', 'GET', '/artefacts/nothing', [404]],
    ['the agent’s installer', 'GET', '/agent/install.sh', [200, 404]],
    ['enrollment', 'POST', '/enrol', [400, 415]],
    ['a method nobody knows', 'DELETE', '/api/config', [404, 405]],
    ['alive', 'GET', '/healthz', [200]],
    ['an impossible path', 'GET', '/%', [400]],
  ])('[headers-2] carries the security headers: %s', async (_what, method, path, statuses) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect(statuses).toContain(reply.status);
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject(everywhere);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    // What runs here is nobody’s business, and no browser guesses what an answer is.
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers['content-type']).toMatch(/^text\/.+; charset=utf-8$|^application\/.*json/);
    await reply.text();
  });

  test('[headers-3] is for the same origin: a preflight from elsewhere is allowed nothing', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/identity`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-amz-target',
      },
    });
    expect(reply.ok).toBe(false);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });
});

/** Another address of this machine is a stranger's, as the server sees it. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

function ask(
  path: string,
  headers: Readonly<Record<string, string>>,
  host = '127.0.0.1',
): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, path, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('what operators ask', () => {
  test.each(['/readyz', '/metrics'])('[operations-1] %s is open to this machine', async (path) => {
    expect(await ask(path, { host: 'localhost' })).toBe(200);
  });

  test.each(['/readyz', '/metrics'])(
    '[operations-2] %s does not exist for strangers without the token',
    async (path) => {
      const strange = { host: 'portal.example' };
      expect(await ask(path, strange)).toBe(404);
      expect(await ask(path, { host: 'localhost', 'x-forwarded-for': '127.0.0.1' })).toBe(404);
      expect(await ask(path, { ...strange, authorization: 'Bearer another-token-here' })).toBe(404);
      expect(await ask(path, { ...strange, authorization: `Bearer ${TOKEN}` })).toBe(200);
      if (outside !== undefined) {
        expect(await ask(path, { host: 'localhost' }, outside)).toBe(404);
      }
    },
  );

  test('[operations-3] that it lives everybody may know', async () => {
    expect(await ask('/healthz', { host: 'portal.example' })).toBe(200);
  });
});
