import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
} from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPool, query, signInForTokens } from '../../support/portal-api.ts';
import { logInByCode } from '../../support/provider-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const ADMIN = 'admin@deviceportal.local';

let portal: TestServer;
/** Tokens of one user, by issuer and use. */
const tokens: Record<'id' | 'access' | 'provider', string> = { id: '', access: '', provider: '' };
beforeAll(async () => {
  portal = await startTestServer();
  const { AccessToken, IdToken } = await signInForTokens(portal.url, ADMIN);
  const { data } = await logInByCode(portal.url, ADMIN);
  Object.assign(tokens, { access: AccessToken, id: IdToken, provider: data?.token });
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Places that accept tokens; each returns whether it identifies the user. */
const places: Readonly<Record<keyof typeof tokens, (token: string) => Promise<boolean>>> = {
  async id(token) {
    return (await query(portal.url, { path: 'session.get', token })).status === 200;
  },
  async access(AccessToken) {
    const asked = askPool<{ Username: string }>(portal.url, 'GetUser', { AccessToken });
    return asked.then(
      ({ Username }) => Username !== '',
      (error: Error) => {
        if (error.message.includes('NotAuthorizedException')) return false;
        throw error;
      },
    );
  },
  async provider(token) {
    const authorization = `Bearer ${token}`;
    const path = '/idp/api/v2/users/principal_authentication';
    const reply = await fetch(portal.url + path, { headers: { authorization } });
    return ((await reply.json()) as { code: number }).code === 200;
  },
};
const kinds = ['id', 'access', 'provider'] as const;
const PUBLISHED: Readonly<Record<keyof typeof tokens, string>> = {
  id: '/identity/us-east-1_DevicePortal/.well-known/jwks.json',
  access: '/identity/us-east-1_DevicePortal/.well-known/jwks.json',
  provider: '/idp/oidc/.well-known/jwks.json',
};

const partOf = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as never;

test.each(kinds)('the %s token is valid for its own use only', async (kind) => {
  const taken = await Promise.all(kinds.map((place) => places[place](tokens[kind])));
  expect(taken).toEqual(kinds.map((place) => place === kind));
});

test.each(kinds)(
  'a stranger cannot sign the %s token with published keys, or with their own',
  async (kind) => {
    const reply = await fetch(portal.url + PUBLISHED[kind]);
    const { keys } = (await reply.json()) as { keys: (JsonWebKey & { kid: string })[] };
    const token = tokens[kind];
    const [, payload = ''] = token.split('.');
    const header = headerOf(token);
    const published = keys.find(({ kid }) => kid === header['kid']);
    if (published === undefined) throw new Error('the key of the token is not published');
    const pem = createPublicKey({ key: published, format: 'jwk' });
    const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = own.publicKey.export({ format: 'jwk' });
    const forged = (more: object, signed: (text: string) => Buffer): string => {
      const text = `${partOf({ ...header, ...more })}.${payload}`;
      return `${text}.${signed(text).toString('base64url')}`;
    };
    const byOwn = (text: string): Buffer => sign('RSA-SHA256', Buffer.from(text), own.privateKey);
    const secrets = [pem.export({ format: 'pem', type: 'spki' }), published.n ?? '', ''];
    const attempts = [
      `${partOf({ ...header, alg: 'none' })}.${payload}.`,
      ...secrets.map((secret) =>
        forged({ alg: 'HS256' }, (text) => createHmac('sha256', secret).update(text).digest()),
      ),
      forged({}, byOwn),
      forged({ jwk }, byOwn),
      forged({ jku: 'http://127.0.0.1:9/jwks.json', kid: 'own' }, byOwn),
      ...['', '../../../../dev/null', "' or '1'='1", '__proto__'].map((kid) =>
        forged({ kid }, byOwn),
      ),
    ];
    expect(await Promise.all(attempts.map((attempt) => places[kind](attempt)))).not.toContain(true);
  },
);
