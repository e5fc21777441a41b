import { deflateRawSync } from 'node:zlib';
import { buildSchema, type GraphQLArgument } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typeDefinitions } from '../../src/graphql/type-definitions.ts';
import { openProvider, type OpenProvider } from '../provider/support/open-provider.ts';

let idp: OpenProvider;
let token: string;
beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  const user = await idp.makeUser({ username: 'ada', email: 'ada@example.com' });
  const session = { appId: idp.appId, method: 'password', address: '192.0.2.2' };
  ({ token } = await idp.context.tokens.startSession(user, session));
});
afterAll(() => idp[Symbol.asyncDispose]());

/** What PostgreSQL, a parser or a stack cannot take. */
const TEXTS = ['\0', 'a\0b', '\uD800', '../../..', '9'.repeat(400), '{"a":"\\u0000"}', '\'"<>&%'];
const ADDRESS_PARTS = ['%00', 'a%00b', '%ED%A0%80', '%', '%C0%80', '%2e%2e%2f', '9'.repeat(400)];
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** Names by which the calls take something, of all of them together. */
const NAMES = [
  ...['id', 'appId', 'app_id', 'client_id', 'clientId', 'client_secret', 'code', 'token', 'ticket'],
  ...['service', 'state', 'nonce', 'email', 'phone', 'username', 'account', 'password', 'userId'],
  ...['redirect_uri', 'scope', 'grant_type', 'refresh_token', 'response_type', 'url', 'random'],
  ...['device_id', 'uuid', 'identifier', 'target_url', 'custom_data', 'key', 'value', 'arrival'],
  ...['deviceUniqueId', 'name', 'idCard', 'totp', 'mfa_token', 'recoveryCode', 'source', 'scene'],
  ...[
    'SAMLRequest',
    'RelayState',
    'SigAlg',
    'Signature',
    'event',
    'namespace',
    'resource',
    'secret',
  ],
];
const everyName = (value: unknown) => Object.fromEntries(NAMES.map((name) => [name, value]));
const BODIES = [
  ...['', 'null', '[]', '"text"', '7', '{', '{"a":', '{"__proto__":{"a":1}}', '{"a":1e999}'],
  ...[deep(50_000), `{"a":${deep(50_000)}}`, '{"\\u0000":"\\u0000"}', '{"year":"0000-00-00"}'],
  // Neither a length nor a number.
  JSON.stringify(everyName({ length: { toString: 1, valueOf: 2 } })),
];

type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };

async function send(path: string, { headers, ...init }: Sent = {}): Promise<void> {
  const bearer = { authorization: `Bearer ${token}` };
  for (const own of [{}, bearer]) {
    const reply = await fetch(`${idp.host}${path}`, {
      ...{ redirect: 'manual', ...init, headers: { ...own, ...headers } },
    });
    const text = await reply.text();
    if (reply.status < 500 && !text.includes('    at ')) continue;
    const sent = `${path} ${JSON.stringify(init).slice(0, 200)}`;
    throw new Error(`${sent}: ${reply.status} ${text.slice(0, 300)}`);
  }
}

const isThorough = process.env['DEVICEPORTAL_TEST_THOROUGH'] === 'true';
/** All, or in an ordinary run every fourth, another one for each route. */
const some = <Value>(values: readonly Value[], route: number): readonly Value[] =>
  isThorough ? values : values.filter((_value, index) => (index + route) % 4 === 0);

const routes = (method: string) =>
  idp.routes.filter((route) => route.method === method).map(({ url }) => url.replace(/^\/idp/, ''));
const concrete = (url: string, part: string) => url.replaceAll(/:\w+|\*/g, part);
const inTurns = async (calls: readonly (() => Promise<void>)[]) => {
  const failed: string[] = [];
  for (let at = 0; at < calls.length; at += 16) {
    const ended = await Promise.allSettled(calls.slice(at, at + 16).map((call) => call()));
    for (const each of ended) if (each.status === 'rejected') failed.push(String(each.reason));
  }
  expect(failed).toEqual([]);
  // Each would be a stack trace in the operator's log.
  expect(idp.failures.splice(0)).toEqual([]);
};
const json = { 'content-type': 'application/json' };
const query = (value: string) => NAMES.map((name) => `${name}=${value}`).join('&');

test('no route of the provider fails on input that it cannot store or read', async () => {
  const urls = [...new Set([...routes('GET'), ...routes('POST')])];
  expect(urls.length).toBeGreaterThan(50);
  const calls = urls.flatMap((url, route) =>
    some(ADDRESS_PARTS, route).flatMap((part) => [
      () => send(concrete(url, part)),
      () => send(`${concrete(url, 'app-1')}?${query(part)}`),
      () => send(concrete(url, part), { method: 'POST', headers: json, body: '{}' }),
    ]),
  );
  await inTurns(calls);
});

test('no call of the provider fails on a malformed body', async () => {
  const calls = ['POST', 'DELETE'].flatMap((method) =>
    routes(method).flatMap((url, route) => [
      ...some(BODIES, route).map(
        (body) => () => send(concrete(url, 'app-1'), { method, headers: json, body }),
      ),
      ...some([...TEXTS, 7, null, [], { a: 1 }, 1e300], route).map(
        (value) => () =>
          send(concrete(url, 'app-1'), {
            ...{ method, headers: json, body: JSON.stringify(everyName(value)) },
          }),
      ),
      ...some(TEXTS, route).map(
        (value) => () =>
          send(concrete(url, 'app-1'), {
            ...{ method, body: new URLSearchParams(everyName(value) as Record<string, string>) },
          }),
      ),
    ]),
  );
  await inTurns(calls);
});

test('OpenID Connect does not fail on a malformed parameter', async () => {
  const good: Record<string, string> = {
    ...{ client_id: idp.appId, client_secret: 'a secret of the application', code: 'c' },
    ...{ redirect_uri: 'http://127.0.0.1:9/callback', response_type: 'code', scope: 'openid' },
    ...{ token: 't', refresh_token: 'r', code_verifier: 'v', state: 's', id_token_hint: 'h' },
    ...{ code_challenge: 'c', code_challenge_method: 'S256', logout: 'yes', xsrf: 'x' },
  };
  const grants = ['authorization_code', 'refresh_token', 'client_credentials', '\0', 'x'];
  const calls = ['oidc', 'oauth'].flatMap((protocol) =>
    Object.keys(good).flatMap((name) =>
      TEXTS.slice(0, 3).flatMap((value) => {
        const form = { ...good, [name]: value };
        const asked = new URLSearchParams(form).toString();
        return [
          ...['/auth', '/session/end', '/me', '/user'].map(
            (path) => () => send(`/${protocol}${path}?${asked}`),
          ),
          ...['/token/introspection', '/token/revocation', '/auth', '/session/end/confirm'].map(
            (path) => () =>
              send(`/${protocol}${path}`, { method: 'POST', body: new URLSearchParams(form) }),
          ),
          ...grants.map(
            (grant) => () =>
              send(`/${protocol}/token`, {
                method: 'POST',
                body: new URLSearchParams({ ...form, grant_type: grant }),
              }),
          ),
        ];
      }),
    ),
  );
  await inTurns(calls);
});

test('SAML does not fail on an invalid message', async () => {
  const messages = [
    ...['', '<', '<a/>', '\0', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '<a>'.repeat(20_000)],
    '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="&#0;"><Issuer>a&#0;b</Issuer></samlp:AuthnRequest>',
    `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="a"><Issuer>a\0b</Issuer></samlp:AuthnRequest>`,
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="a"><Issuer>a\0b</Issuer></samlp:LogoutRequest>`,
  ];
  const calls = messages.flatMap((xml) =>
    ['', '/logout'].flatMap((path) => {
      const at = `/api/v2/saml-idp/${idp.appId}${path}`;
      const packed = deflateRawSync(xml).toString('base64');
      const plain = Buffer.from(xml).toString('base64');
      return [
        () => send(`${at}?SAMLRequest=${encodeURIComponent(packed)}`),
        () => send(`${at}?SAMLRequest=${encodeURIComponent(plain)}&SigAlg=x&Signature=%00`),
        () =>
          send(at, {
            method: 'POST',
            body: new URLSearchParams({ SAMLRequest: plain, RelayState: '\0' }),
          }),
      ];
    }),
  );
  await inTurns(calls);
});

const schema = buildSchema(typeDefinitions);

/** An operation that gives each argument, and each field of an input, this text. */
function operationOf(kind: 'query' | 'mutation', name: string, args: readonly GraphQLArgument[]) {
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const inner = `${name}${given === '' ? '' : `(${given})`}`;
  return `${kind} ${declared === '' ? '' : `(${declared})`} { ${inner} }`;
}

function valueOf(type: string, text: string): unknown {
  const bare = type.replaceAll(/[![\]]/g, '');
  const named = schema.getType(bare);
  const one = ((): unknown => {
    if (bare === 'Int' || bare === 'Float') return 2_147_483_647;
    if (bare === 'Boolean') return true;
    if (named !== undefined && 'getValues' in named) return named.getValues()[0]?.name;
    if (named === undefined || !('getFields' in named)) return text;
    return Object.fromEntries(
      Object.values(named.getFields()).map((field) => [
        field.name,
        valueOf(String(field.type), text),
      ]),
    );
  })();
  return type.startsWith('[') ? [one] : one;
}

test('no GraphQL operation fails on a malformed value', async () => {
  const operations = (['query', 'mutation'] as const).flatMap((kind) => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.values(type?.getFields() ?? {}).flatMap(({ name, args, type: result }) => {
      const plain = operationOf(kind, name, args);
      const isLeaf = !(
        'getFields' in (schema.getType(String(result).replaceAll(/[![\]]/g, '')) ?? {})
      );
      return { name, args, query: isLeaf ? plain : plain.replace(/ \}$/, ' { __typename } }') };
    });
  });
  expect(operations.length).toBeGreaterThan(20);
  const post = (body: string) => () => send('/graphql/v2', { method: 'POST', headers: json, body });
  await inTurns([
    ...operations.flatMap(({ args, query: text }) =>
      TEXTS.map((value) => {
        const variables = Object.fromEntries(
          args.map((arg) => [arg.name, valueOf(String(arg.type), value)]),
        );
        return post(JSON.stringify({ query: text, variables }));
      }),
    ),
    ...['', '{', '\0', '{ \0 }', `${'{a'.repeat(5_000)}${'}'.repeat(5_000)}`, '7'].map((text) =>
      post(JSON.stringify({ query: text })),
    ),
    post(`{"query":"{ user { id } }","variables":{"a":${deep(50_000)}}}`),
    post('{"query":7,"variables":7}'),
  ]);
});
