import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { markBrowser } from '../connections/browser-cookie.ts';
import { setCookie } from './cookies.ts';

async function cookiesAt(baseUrl: string): Promise<string[]> {
  const app = fastify();
  app.get('/', async (_request, reply) => {
    setCookie(reply, { baseUrl }, { name: 'idp_sign_in', value: 'x', maxAgeSeconds: 60 });
    markBrowser(reply, 'state', baseUrl);
    return '';
  });
  const { headers } = await app.inject('/');
  await app.close();
  return [headers['set-cookie'] ?? []].flat();
}

it('[cookie-1] cookies are of the provider alone, no script reads them, and no other site sends them with a form', async () => {
  const cookies = await cookiesAt('https://portal.example/idp');
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) {
    expect(cookie).toMatch(
      /; Path=\/idp(\/connections)?; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
  }
});

it('on a machine without TLS they are kept all the same', async () => {
  for (const cookie of await cookiesAt('http://localhost:8080/idp')) {
    expect(cookie).not.toContain('Secure');
  }
});
