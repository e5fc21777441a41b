import { parseSetCookie } from 'cookie';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { markBrowser } from '../../connections/browser-cookie.ts';
import { cookieIn, setCookie } from './cookies.ts';

async function cookiesAt(baseUrl: string) {
  const app = fastify();
  app.get('/', async (_request, reply) => {
    setCookie(reply, { baseUrl }, { name: 'idp_sign_in', value: 'x', maxAgeSeconds: 60 });
    markBrowser(reply, 'state', baseUrl);
    return '';
  });
  const { headers } = await app.inject('/');
  await app.close();
  return [headers['set-cookie'] ?? []].flat().map((text) => parseSetCookie(text));
}

it('[cookie-1] cookies are sent only to the provider, are hidden from scripts, and are not sent with forms of other sites', async () => {
  const cookies = await cookiesAt('https://portal.example/idp');
  const attributes = { httpOnly: true, sameSite: 'lax', secure: true };
  expect(cookies).toEqual([
    { name: 'idp_sign_in', value: 'x', maxAge: 60, path: '/idp', ...attributes },
    {
      name: expect.stringMatching(/^idp_interaction_[0-9a-f]{16}$/),
      value: expect.stringMatching(/^[\w-]{20,}$/),
      maxAge: expect.any(Number),
      path: '/idp/connections',
      ...attributes,
    },
  ]);
});

it('cookies are also kept on a machine without TLS', async () => {
  for (const cookie of await cookiesAt('http://localhost:8080/idp'))
    expect(cookie).not.toHaveProperty('secure');
});

it.each([
  ['a=1; idp_form=secret; b=2', 'secret'],
  ['a=1;idp_form=secret', 'secret'],
  ['idp_form = secret', 'secret'],
  ['idp_form=first; idp_form=second', 'first'],
  ['not_idp_form=other; idp_form_too=other', undefined],
  ['a="; idp_form=secret"', 'secret"'],
  ['idp_form=%e0%80', '%e0%80'],
  ['idp_form', undefined],
  ['', undefined],
])('the form’s cookie in the header %j is %j', (cookie, value) => {
  expect(cookieIn({ cookie }, 'idp_form')).toBe(value);
});

it.each(['__proto__', 'constructor', 'toString'])(
  '%s is not accepted as a cookie that was not sent',
  (name) => {
    expect(cookieIn({ cookie: 'a=1' }, name)).toBeUndefined();
  },
);
