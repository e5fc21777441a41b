import { exportJWK, generateKeyPair, SignJWT, type GenerateKeyPairResult, type JWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createInProcessFetcher } from './token-check/fetch-key-set.ts';
import { createTokenVerifier, type TokenRestrictions } from './token-verifier.ts';

const issuer = 'http://localhost:8080/identity/us-east-1_DevicePortal';
const clientId = 'deviceportalweb';

let rsa: GenerateKeyPairResult;
let key: JWK;

beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true });
  key = { ...(await exportJWK(rsa.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
});

const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ sub: '0199-subject', email: 'ada@example.com', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(rsa.privateKey);

const poolClaims = {
  token_use: 'id',
  auth_time: Math.floor(Date.now() / 1000),
  'cognito:username': 'ada',
  'cognito:groups': ['DevicePortal_Admin'],
};

const verifierOf = (restrictions?: TokenRestrictions, readKeys = async () => ({ keys: [key] })) =>
  createTokenVerifier({
    issuer,
    clientId,
    fetcher: createInProcessFetcher(readKeys),
    ...(restrictions && { restrictions }),
    tokens: { kind: 'cognito' },
  });

describe('token verifier', () => {
  test('returns subject, name, and groups, also at the second call', async () => {
    const verifier = verifierOf();
    const token = await sign(poolClaims);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await verifier.verify(token)).toMatchObject({
        subject: '0199-subject',
        username: 'ada',
        email: 'ada@example.com',
        groups: ['DevicePortal_Admin'],
      });
    }
  });

  test('rejects other tokens and logs the reason only', async () => {
    const token = await sign({ ...poolClaims, token_use: 'access' });
    await expect(verifierOf().verify(token)).rejects.toMatchObject({
      code: 2001,
      message: 'invalid session',
      detail: 'wrong-token-use',
    });
    const noTime = await sign({ ...poolClaims, auth_time: undefined });
    await expect(verifierOf().verify(noTime)).rejects.toMatchObject({
      code: 2001,
      detail: 'invalid-access-token',
    });
  });

  test('does not end a session because keys are unavailable', async () => {
    const verifier = verifierOf(undefined, () => Promise.reject(new Error('database unavailable')));
    await expect(verifier.verify(await sign(poolClaims))).rejects.toMatchObject({
      code: 2000,
      detail: 'key-set-not-fetched',
    });
  });

  test('requires membership in a group if the operator configures it', async () => {
    const token = await sign(poolClaims);
    const only = (...groups: string[]) => verifierOf({ groups, graceSeconds: 0 });
    await expect(only('Staff', 'DevicePortal_Admin').verify(token)).resolves.toBeDefined();
    await expect(only('Staff').verify(token)).rejects.toMatchObject({
      code: 2001,
      detail: 'wrong-group',
    });
  });

  test('applies the same restriction to roles requested from the provider', async () => {
    const verifier = createTokenVerifier({
      issuer,
      clientId,
      fetcher: createInProcessFetcher(async () => ({ keys: [key] })),
      restrictions: { groups: ['Staff'], graceSeconds: 0 },
      tokens: { kind: 'oidc', findRoles: async (_token, subject) => [subject] },
    });
    const token = (sub: string) => sign({ sub });
    await expect(verifier.verify(await token('Staff'))).resolves.toMatchObject({
      groups: ['Staff'],
    });
    await expect(verifier.verify(await token('Guests'))).rejects.toMatchObject({
      detail: 'wrong-group',
    });
  });
});
