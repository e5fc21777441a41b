import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openProvider,
  REDIRECT_URI,
  type OpenProvider,
} from '../provider/support/open-provider.ts';

const MOST = 3_000;
const AT_ONCE = 50;

let idp: OpenProvider;
beforeEach(async () => {
  idp = await openProvider();
});
afterEach(() => idp[Symbol.asyncDispose]());

const redirect = encodeURIComponent(REDIRECT_URI);
const authorize = (): string =>
  `client_id=${idp.appId}&response_type=code&scope=openid&redirect_uri=${redirect}&state=${'s'.repeat(4_000)}`;

/** Whoever has an address and nothing else; each of these kept something for hours or days. */
const ways: Readonly<Record<string, () => string>> = {
  'authorization requests': () => `/oidc/auth?${authorize()}`,
  'authorization requests, written in another way': () => `/oauth/AUTH/?${authorize()}`,
  'questions whether to sign out': () => `/oidc/session/end?state=${'s'.repeat(4_000)}`,
  'CAS sign-ins': () => `/cas-idp/${idp.appId}/login?service=${redirect}`,
  'SAML sign-ins': () => `/api/v2/saml-idp/${idp.appId}?RelayState=${'s'.repeat(2_000)}`,
};

async function kept(): Promise<number> {
  const { rows } = await idp.pool.query<{ count: number }>(
    `select (select count(*) from identity.provider_oidc_entry)::int
          + (select count(*) from identity.provider_ticket)::int as count`,
  );
  return rows[0]?.count ?? 0;
}

const ask = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const reply = await fetch(idp.host + url, { redirect: 'manual', headers });
  await reply.arrayBuffer();
  return reply;
};

/** As if this address had begun so many, a moment ago. */
async function haveBegun(count: number): Promise<void> {
  const rule = { name: 'provider-begun', hits: count, windowMs: 15 * 60_000 };
  for (let left = count; left > 0; left -= AT_ONCE) {
    const hits = Array.from({ length: Math.min(left, AT_ONCE) }, () =>
      idp.context.limits.hit(rule, '127.0.0.1'),
    );
    await Promise.all(hits);
  }
}

test('an attacker without an account cannot create unlimited rows by starting sign-ins', async () => {
  for (const way of Object.values(ways)) expect((await ask(way())).status).toBeLessThan(400);
  await haveBegun(MOST - Object.keys(ways).length);
  const before = await kept();
  for (const [name, way] of Object.entries(ways)) {
    const reply = await ask(way());
    expect(reply.status, name).toBe(429);
    expect(Number(reply.headers.get('retry-after')), name).toBeGreaterThan(0);
  }
  expect(await kept()).toBe(before);
  idp.clock.advance(15 * 60_000 + 1);
  expect((await ask(`/oidc/auth?${authorize()}`)).status).toBe(303);
});

test('one SAML sign-in does not create more rows when it is continued repeatedly', async () => {
  const started = await ask(`/api/v2/saml-idp/${idp.appId}`);
  const onward = (started.headers.get('location') ?? '').slice(idp.host.length);
  expect((await ask(onward)).status).toBe(303);
  await haveBegun(MOST);
  const before = await kept();
  expect((await ask(onward)).status).toBe(429);
  expect(await kept()).toBe(before);
});

test('an authorization request of a browser without a sign-in is deleted after an hour', async () => {
  await ask(`/oidc/session/end?state=${'s'.repeat(4_000)}`);
  const { rows } = await idp.pool.query<{ seconds: number }>(
    `select extract(epoch from expires_at - created_at)::int as seconds
       from identity.provider_oidc_entry where kind = 'Session'`,
  );
  expect(rows.map(({ seconds }) => seconds)).toEqual([3_600]);
});

test('keys and tokens remain available to others', async () => {
  await haveBegun(MOST + 1);
  expect((await ask('/oidc/.well-known/jwks.json')).status).toBe(200);
  expect((await ask('/oidc/.well-known/openid-configuration')).status).toBe(200);
});

test('a long request is rejected and not stored', async () => {
  const before = await kept();
  for (const protocol of ['oidc', 'oauth']) {
    const reply = await ask(`/${protocol}/auth?${authorize()}${'s'.repeat(8_000)}`);
    expect(reply.headers.get('location')).toContain('error=invalid_request');
  }
  expect(await kept()).toBe(before);
  expect(idp.failures).toEqual([]);
});
