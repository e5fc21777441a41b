import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWK,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { createTokenVerifier } from './token-verifier.ts';

const issuer = 'http://localhost:8080/identity/us-east-1_DevicePortal';
const clientId = 'deviceportalweb';

let rsa: GenerateKeyPairResult;
let rsaPublic: JWK;

beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true });
  rsaPublic = { ...(await exportJWK(rsa.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
});

const claims = {
  sub: '0199-subject',
  token_use: 'id',
  auth_time: Math.floor(Date.now() / 1000),
  'cognito:username': 'ada',
  'cognito:groups': ['DevicePortal_Admin'],
  email: 'ada@example.com',
};

interface Changes {
  readonly claims?: Record<string, unknown>;
  readonly audience?: string;
  readonly issuer?: string;
  readonly expiresIn?: string | null;
  readonly keys?: JWK[];
  readonly header?: { alg: string; kid: string };
  readonly key?: CryptoKey;
}

async function verify(changes: Changes = {}) {
  const jwt = new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader(changes.header ?? { alg: 'RS256', kid: 'one' })
    .setIssuer(changes.issuer ?? issuer)
    .setAudience(changes.audience ?? clientId)
    .setIssuedAt();
  if (changes.expiresIn !== null) jwt.setExpirationTime(changes.expiresIn ?? '1h');
  const token = await jwt.sign(changes.key ?? rsa.privateKey);
  const keys = changes.keys ?? [rsaPublic];
  return createTokenVerifier({ issuer, clientId, fetchKeySet: async () => ({ keys }) }).verify(
    token,
  );
}

describe('the token check', () => {
  test('[token-1] a good id token yields subject, name and groups', async () => {
    await expect(verify()).resolves.toMatchObject({
      subject: '0199-subject',
      username: 'ada',
      email: 'ada@example.com',
      groups: ['DevicePortal_Admin'],
    });
  });

  test.each<[string, Changes]>([
    ['expired', { expiresIn: '-1m' }],
    ['without an end', { expiresIn: null }],
    ['of another issuer', { issuer: 'http://localhost:8080/identity/us-east-1_Other' }],
    ['for another client', { audience: 'other' }],
    ['an access token', { claims: { token_use: 'access' } }],
    ['without a subject', { claims: { sub: '' } }],
    ['without the time of sign-in', { claims: { auth_time: undefined } }],
    ['signed by an unknown key', { header: { alg: 'RS256', kid: 'two' } }],
  ])('[token-2] a token %s is an invalid session', async (_what, changes) => {
    await expect(verify(changes)).rejects.toMatchObject({ code: 2001 });
  });

  test('[token-3] a key that is not for signatures is refused', async () => {
    const { use: _use, ...unspecified } = rsaPublic;
    await expect(verify({ keys: [unspecified] })).rejects.toBeInstanceOf(PortalError);
  });

  test('[token-4] an elliptic-curve signature is refused although the library would take it', async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(pair.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' };
    await expect(
      verify({ keys: [key], header: { alg: 'ES256', kid: 'ec' }, key: pair.privateKey }),
    ).rejects.toMatchObject({ code: 2001 });
  });

  test('[token-5] a tampered payload is refused', async () => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setExpirationTime('1h')
      .sign(rsa.privateKey);
    const [header, , signature] = token.split('.');
    const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'someone-else' })).toString(
      'base64url',
    );
    const verifier = createTokenVerifier({
      issuer,
      clientId,
      fetchKeySet: async () => ({ keys: [rsaPublic] }),
    });
    await expect(verifier.verify(`${header}.${payload}.${signature}`)).rejects.toMatchObject({
      code: 2001,
    });
  });
});
