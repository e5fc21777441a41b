import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
beforeAll(async () => {
  portal = await startTestServer();
});
afterAll(() => portal[Symbol.asyncDispose]());

const asked = (mode: string): string =>
  new URLSearchParams({
    ...{ client_id: 'deviceportal', response_type: 'code', scope: 'openid', prompt: 'none' },
    ...{ redirect_uri: `${portal.url}/signin`, response_mode: mode },
  }).toString();

/** Every URL that returns a page to a stranger. */
const pages: Readonly<Record<string, () => string>> = {
  'a refused request of OpenID Connect': () => '/idp/oidc/auth',
  'a form that brings an answer to an application': () => `/idp/oidc/auth?${asked('form_post')}`,
  'the same of OAuth': () => `/idp/oauth/auth?${asked('form_post')}`,
  'the sign-out of OpenID Connect': () => '/idp/oidc/session/end',
  'a sign-in that has ended': () => '/idp/interaction/oidc/x/login',
  'a code that was scanned': () => '/idp/qr/x',
  'a refused request of SAML': () => '/idp/api/v2/saml-idp/x',
  'a refused request of CAS': () => '/idp/cas-idp/x/login',
  'a sign-out': () => '/idp/login/profile/logout',
  'a sign-in elsewhere that has ended': () => '/idp/connections/end?id=x',
  'the outbox': () => '/outbox',
  'the templates of messages': () => '/outbox/templates',
};

test.each(Object.keys(pages))('another site cannot frame %s or add a script', async (name) => {
  const reply = await fetch(portal.url + (pages[name]?.() ?? ''), { redirect: 'manual' });
  const html = await reply.text();
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe/);
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('permissions-policy')).toContain('camera=()');
  // Its own scripts still run.
  for (const [, script = ''] of html.matchAll(/<script>([\s\S]*?)<\/script>/g)) {
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
});

test.each(['/idp/oidc/token', '/idp/oidc/me', '/idp/oidc/.well-known/openid-configuration'])(
  'a browser does not sniff the content type of %s',
  async (path) => {
    const reply = await fetch(portal.url + path);
    await reply.arrayBuffer();
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  },
);
