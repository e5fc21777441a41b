import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import type { SigningKey, SigningKeys } from '../src/keys/signing-keys.ts';
import { createTokenCheck } from '../src/tokens/check-token.ts';
import { TokenRefusal } from '../src/tokens/token-refusal.ts';
import { unlessRefused } from '../src/tokens/unless-refused.ts';

const NOW_SECONDS = 1_800_000_000;
const issuer = 'http://localhost:8080/idp/oidc';
const good = { iss: issuer, sub: 'ada', iat: NOW_SECONDS, exp: NOW_SECONDS + 60 };

const keyFor = <Use extends 'id' | 'access'>(use: Use): SigningKey<Use> => ({
  kid: `kid of ${use}`,
  use,
  publicJwk: {},
  ...generateKeyPairSync('rsa', { modulusLength: 2_048 }),
});
const published = [keyFor('id'), keyFor('access')];
const keys: SigningKeys<'id' | 'access'> = {
  find: async (kid) => published.find((key) => key.kid === kid),
  signer: async () => published[0] as SigningKey<'id'>,
  published: async () => published,
};

const makeCheck = (over: Partial<SigningKeys<'id' | 'access'>> = {}) =>
  createTokenCheck({
    ...{ issuer, clock: { now: () => NOW_SECONDS * 1_000 } },
    keys: { ...keys, ...over },
    read(payload: JWTPayload) {
      if (payload['broken'] === true) throw new Error('broken');
      return payload;
    },
  });

async function tokenOf(claims: object = {}, use = 0, header: object = {}): Promise<string> {
  const key = published[use] as SigningKey;
  return new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
    .sign(key.privateKey);
}

const faultOf = (token: string): Promise<unknown> =>
  makeCheck()(token, 'id').then(
    () => 'accepted',
    (error: unknown) => (error instanceof TokenRefusal ? error.fault : error),
  );

const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed with the public key as a shared secret. */
function confused(): string {
  const pem = published[0]?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '';
  const input = `${segment({ alg: 'HS256', kid: 'kid of id' })}.${segment(good)}`;
  return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
}

describe('the check of tokens of our own issuers', () => {
  const cases: readonly [string, () => string | Promise<string>, string][] = [
    ['a good one', () => tokenOf(), 'accepted'],
    ['nothing', () => '', 'malformed-token'],
    [
      'two segments',
      async () => (await tokenOf()).split('.').slice(0, 2).join('.'),
      'malformed-token',
    ],
    ['claims that cannot be read', () => tokenOf({ broken: true }), 'malformed-token'],
    ['no end', () => tokenOf({ exp: undefined }), 'malformed-token'],
    ['no subject', () => tokenOf({ sub: undefined }), 'malformed-token'],
    ['its end', () => tokenOf({ exp: NOW_SECONDS }), 'expired-token'],
    ['a later start', () => tokenOf({ nbf: NOW_SECONDS + 1 }), 'token-not-yet-valid'],
    ['another issuer', () => tokenOf({ iss: `${issuer}2` }), 'wrong-issuer'],
    ['a key of another use', () => tokenOf({}, 1), 'wrong-token-use'],
    ['a key that is not published', () => tokenOf({}, 0, { kid: 'other' }), 'key-not-found'],
    ['the name of another key', () => tokenOf({}, 1, { kid: 'kid of id' }), 'bad-signature'],
    ['no signature', () => `${segment({ alg: 'none' })}.${segment(good)}.`, 'wrong-algorithm'],
    ['the public key as a secret', confused, 'wrong-algorithm'],
  ];
  it.each(cases)('%s: %s', async (_what, token, fault) => {
    expect(await faultOf(await token())).toBe(fault);
  });

  it('an expired token reports its expiry', async () => {
    const token = await tokenOf({ exp: NOW_SECONDS - 5 });
    await expect(makeCheck()(token, 'id')).rejects.toMatchObject({ exp: NOW_SECONDS - 5 });
  });

  it('if the keys cannot be read, tokens are not reported as invalid', async () => {
    const away = new Error('the database is away');
    const check = makeCheck({ find: () => Promise.reject(away) });
    await expect(unlessRefused(check(await tokenOf(), 'id'))).rejects.toBe(away);
  });
});
