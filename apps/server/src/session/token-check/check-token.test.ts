import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { tokenFaults } from '@deviceportal/contract/session-refusals';
import { TokenRefusal } from '@deviceportal/identity/token-refusal';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBearerCheck, type BearerCheckOptions } from './check-token.ts';
import { createInProcessFetcher } from './fetch-key-set.ts';

const issuer = 'http://localhost:8080/identity/us-east-1_DevicePortal';
const clientId = 'deviceportalweb';
const nowSeconds = 1_800_000_000;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const published = { ...jwkOf(rsa.publicKey), kid: 'one', alg: 'RS256', use: 'sig' };

const idClaims = {
  sub: '0199-subject',
  iss: issuer,
  aud: clientId,
  token_use: 'id',
  exp: nowSeconds + 3_600,
  iat: nowSeconds,
  'cognito:username': 'ada',
  'cognito:groups': ['DevicePortal_Admin'],
};
const accessClaims = {
  ...{ sub: '0199-subject', iss: issuer, token_use: 'access', exp: nowSeconds + 3_600 },
  ...{ client_id: clientId, username: 'ada', scope: 'openid profile' },
};

let keys: unknown[];
let fetches: number;
let nowMs: number;
beforeEach(() => {
  keys = [published];
  fetches = 0;
  nowMs = nowSeconds * 1_000;
});

const segment = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

interface Making {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject;
  readonly digest?: string;
}

function makeToken({
  claims = {},
  header = {},
  key = rsa.privateKey,
  digest,
}: Making = {}): string {
  const input = `${segment({ alg: 'RS256', kid: 'one', ...header })}.${segment({ ...idClaims, ...claims })}`;
  const signature = sign(digest ?? 'RSA-SHA256', Buffer.from(input), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}

function makeCheck(options: Partial<BearerCheckOptions> = {}) {
  return createBearerCheck({
    ...{ issuer, clientId, use: 'id', dialect: 'cognito', nowMs: () => nowMs },
    fetcher: createInProcessFetcher(async () => {
      fetches += 1;
      return { keys };
    }),
    ...options,
  });
}

const faultOf = (token: string, options?: Partial<BearerCheckOptions>): Promise<unknown> =>
  makeCheck(options)
    .check(token)
    .then(
      () => 'accepted',
      (error: unknown) => (error instanceof TokenRefusal ? error.fault : error),
    );

test('returns the payload of a valid id token', async () => {
  expect(await makeCheck().check(makeToken())).toEqual(idClaims);
});

test.each([
  ['RS384', 'RSA-SHA384'],
  ['RS512', 'RSA-SHA512'],
])('accepts %s when the key names no other algorithm', async (alg, digest) => {
  const { alg: _alg, ...anyAlgorithm } = published;
  keys = [anyAlgorithm];
  expect(await faultOf(makeToken({ header: { alg }, digest }))).toBe('accepted');
});

describe('has its own reason for each rule', () => {
  const [h, p, s] = makeToken().split('.') as [string, string, string];
  const cases: readonly [string, string, string, Partial<BearerCheckOptions>?][] = [
    ['nothing', '', 'malformed-token'],
    ['two segments', `${h}.${p}`, 'malformed-token'],
    ['four segments', `${h}.${p}.${s}.${s}`, 'malformed-token'],
    ['an empty signature', `${h}.${p}.`, 'malformed-token'],
    ['padding', `${h}=.${p}.${s}`, 'malformed-token'],
    ['characters that are not URL-safe', `${h}.${p}.+/+/`, 'malformed-token'],
    ['a header that is not JSON', `${segment('{')}.${p}.${s}`, 'malformed-token'],
    ['a header that is a list', `${segment([])}.${p}.${s}`, 'malformed-token'],
    ['a payload that is null', `${h}.${segment(null)}.${s}`, 'malformed-token'],
    ['a payload that is a text', `${h}.${segment('"x"')}.${s}`, 'malformed-token'],
    ['no key id', makeToken({ header: { kid: undefined } }), 'malformed-token'],
    ['no algorithm', makeToken({ header: { alg: undefined } }), 'malformed-token'],
    ['a critical header', makeToken({ header: { crit: ['b64'] } }), 'malformed-token'],
    ['16 KiB and more', `${h}.${'a'.repeat(16_384)}.${s}`, 'malformed-token'],
    ['no end', makeToken({ claims: { exp: undefined } }), 'malformed-token'],
    ['an expiry that is not a number', makeToken({ claims: { exp: '9e9' } }), 'malformed-token'],
    ['an expiry in the past', makeToken({ claims: { exp: nowSeconds } }), 'expired-token'],
    ['a later start', makeToken({ claims: { nbf: nowSeconds + 1 } }), 'token-not-yet-valid'],
    ['another issuer', makeToken({ claims: { iss: `${issuer}2` } }), 'wrong-issuer'],
    ['no issuer', makeToken({ claims: { iss: undefined } }), 'wrong-issuer'],
    ['another audience', makeToken({ claims: { aud: 'other' } }), 'wrong-audience'],
    ['no audience', makeToken({ claims: { aud: undefined } }), 'wrong-audience'],
    ['several audiences', makeToken({ claims: { aud: [clientId, 'b'] } }), 'wrong-client'],
    ['the use of access', makeToken({ claims: accessClaims }), 'wrong-token-use'],
    ['no use', makeToken({ claims: { token_use: undefined } }), 'wrong-token-use'],
    ['no subject', makeToken({ claims: { sub: '' } }), 'invalid-access-token'],
    ['no user id', makeToken({ claims: { 'cognito:username': ' ' } }), 'invalid-access-token'],
    ['none of the groups', makeToken(), 'wrong-group', { groups: ['Other'] }],
    ['another key’s signature', makeToken({ key: otherRsa.privateKey }), 'bad-signature'],
    ['a changed payload', `${h}.${segment({ ...idClaims, sub: 'eve' })}.${s}`, 'bad-signature'],
    ['no algorithm at all', makeToken({ header: { alg: 'none' } }), 'wrong-algorithm'],
    ['a shared secret', makeToken({ header: { alg: 'HS256' } }), 'wrong-algorithm'],
    ['PSS', makeToken({ header: { alg: 'PS256' } }), 'wrong-algorithm'],
    ['EdDSA', makeToken({ header: { alg: 'EdDSA' } }), 'wrong-algorithm'],
    ['another algorithm than its key', makeToken({ header: { alg: 'RS384' } }), 'wrong-algorithm'],
    [
      'an elliptic curve',
      makeToken({ header: { alg: 'ES256' }, key: elliptic.privateKey, digest: 'SHA256' }),
      'wrong-algorithm',
    ],
    ['an unknown key', makeToken({ header: { kid: 'two' } }), 'key-not-found'],
  ];
  test.each(cases)('%s', async (_what, token, fault, options) => {
    expect(await faultOf(token, options)).toBe(fault);
  });
});

describe('[token-3] accepts only suitable keys', () => {
  const { use: _use, ...unspecified } = published;
  const { n: _n, ...noModulus } = published;
  const { e: _e, ...noExponent } = published;
  test.each<[string, object]>([
    ['for encryption', { ...published, use: 'enc' }],
    ['for nothing in particular', unspecified],
    ['without a modulus', noModulus],
    ['without an exponent', noExponent],
    ['of an elliptic curve', { ...jwkOf(elliptic.publicKey), kid: 'one', use: 'sig' }],
    ['of 1024 bits', { ...jwkOf(weakRsa.publicKey), kid: 'one', use: 'sig' }],
  ])('%s', async (_what, key) => {
    keys = [key];
    expect(await faultOf(makeToken())).toBe('unusable-key');
  });

  test('ignores unsuitable keys next to the right one', async () => {
    keys = [{ ...jwkOf(elliptic.publicKey), kid: 'ec', use: 'sig' }, published];
    expect(await faultOf(makeToken())).toBe('accepted');
  });

  test.each([['a list'], [null], [{ keys: {} }], [{}], [{ keys: ['key'] }]])(
    'rejects the key set %j',
    async (keySet) => {
      const fetcher = createInProcessFetcher(async () => keySet);
      expect(await faultOf(makeToken(), { fetcher })).toBe('key-set-malformed');
    },
  );
});

describe('applies other rules to access tokens', () => {
  const access: Partial<BearerCheckOptions> = { use: 'access' };
  test('reads their client from another claim and requires no audience', async () => {
    const token = makeToken({ claims: { ...accessClaims, aud: undefined } });
    expect(await faultOf(token, access)).toBe('accepted');
    expect(await faultOf(token, { use: 'id or access' })).toBe('accepted');
    const foreign = makeToken({ claims: { ...accessClaims, client_id: 'other' } });
    expect(await faultOf(foreign, access)).toBe('wrong-client');
    expect(await faultOf(makeToken(), access)).toBe('wrong-token-use');
  });
  test('requires one of the scopes', async () => {
    const token = makeToken({ claims: accessClaims });
    expect(await faultOf(token, { ...access, scopes: ['admin', 'openid'] })).toBe('accepted');
    expect(await faultOf(token, { ...access, scopes: ['admin'] })).toBe('wrong-scope');
  });
});

test('tolerates clock differences within the grace time, in both directions', async () => {
  const late = makeToken({ claims: { exp: nowSeconds - 20 } });
  const early = makeToken({ claims: { nbf: nowSeconds + 20 } });
  for (const token of [late, early]) {
    expect(await faultOf(token, { graceSeconds: 30 })).toBe('accepted');
    expect(await faultOf(token, { graceSeconds: 10 })).not.toBe('accepted');
  }
});

test('distinguishes tokens of an OpenID Connect provider without `token_use`', async () => {
  const oidc: Partial<BearerCheckOptions> = { dialect: 'oidc' };
  const { token_use: _use, 'cognito:username': _name, ...claims } = idClaims;
  const make = (more: object, header = {}) =>
    makeToken({
      header,
      claims: { ...claims, token_use: undefined, 'cognito:username': undefined, ...more },
    });
  expect(await faultOf(make({}), oidc)).toBe('accepted');
  expect(await faultOf(make({ aud: [clientId, 'b'], azp: clientId }), oidc)).toBe('accepted');
  expect(await faultOf(make({ aud: [clientId, 'b'], azp: 'b' }), oidc)).toBe('wrong-client');
  expect(await faultOf(make({ scope: 'openid' }), oidc)).toBe('wrong-token-use');
  expect(await faultOf(make({}, { typ: 'at+JWT' }), oidc)).toBe('wrong-token-use');
});

describe('repeated tokens', () => {
  test('return the same object without fetching a key', async () => {
    const check = makeCheck();
    const token = makeToken();
    expect(await check.check(token)).toBe(await check.check(token));
    expect(fetches).toBe(1);
  });

  test('are rejected once expired, although they were cached', async () => {
    const check = makeCheck();
    const token = makeToken({ claims: { exp: nowSeconds + 10 } });
    await check.check(token);
    nowMs += 10_000;
    await expect(check.check(token)).rejects.toMatchObject({ fault: 'expired-token' });
  });

  test('are rejected once their key is known to be withdrawn', async () => {
    const check = makeCheck({ refreshKeysAfterMs: 60_000 });
    const token = makeToken();
    await check.check(token);
    keys = [{ ...jwkOf(otherRsa.publicKey), kid: 'two', alg: 'RS256', use: 'sig' }];
    nowMs += 60_000;
    await expect
      .poll(() => check.check(token).catch((error: TokenRefusal) => error.fault))
      .toBe('key-not-found');
  });

  test('are rejected when one bit differs', async () => {
    const check = makeCheck();
    const token = makeToken();
    await check.check(token);
    const position = fc.integer({ min: 0, max: token.length - 3 });
    const changedIsRefused = fc.asyncProperty(
      position,
      fc.constantFrom('A', 'b', '0'),
      (at, by) => {
        const changed = token.slice(0, at) + by + token.slice(at + 1);
        return check.check(changed).then(
          () => changed === token,
          (error: unknown) => error instanceof TokenRefusal,
        );
      },
    );
    await fc.assert(changedIsRefused, { numRuns: 150 });
  });

  test('are verified again after they were removed from the cache', async () => {
    const check = makeCheck({ cachedTokens: 2 });
    const [first, ...others] = [1, 2, 3].map((number) => makeToken({ claims: { jti: number } }));
    const before = await check.check(first ?? '');
    for (const token of others) await check.check(token);
    const after = await check.check(first ?? '');
    expect(after).toEqual(before);
    expect(after).not.toBe(before);
  });
});

test('accepts every valid token while keys are rotated under load', async () => {
  const check = makeCheck({ refreshKeysAfterMs: 1_000 });
  const faults: unknown[] = [];
  for (let generation = 0; generation < 20; generation += 1) {
    const pair = generation % 2 === 0 ? rsa : otherRsa;
    const kid = `g${generation}`;
    // The previous key stays published until its last token has expired.
    keys = [...keys.slice(-1), { ...jwkOf(pair.publicKey), kid, alg: 'RS256', use: 'sig' }];
    nowMs += 500;
    const tokens = Array.from({ length: 50 }, (_, jti) =>
      makeToken({ claims: { jti: jti % 40 }, header: { kid }, key: pair.privateKey }),
    );
    const results = await Promise.allSettled(tokens.map((token) => check.check(token)));
    faults.push(...results.filter(({ status }) => status === 'rejected'));
  }
  expect(faults).toEqual([]);
  expect(fetches).toBeLessThanOrEqual(40);
});

test('returns a listed fault for any input', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map(segment),
    fc.record({ alg: fc.constantFrom('RS256', 'none', 1), kid: fc.anything() }).map(segment),
  );
  const check = makeCheck();
  const isRefused = fc.asyncProperty(part, part, part, async (header, payload, signature) => {
    const error: unknown = await check
      .check([header, payload, signature].join('.'))
      .catch((reason: unknown) => reason);
    return error instanceof TokenRefusal && tokenFaults.includes(error.fault);
  });
  await fc.assert(isRefused, { numRuns: 300 });
});
