import { confirmSignIn, fetchAuthSession, signIn, signOut } from '@aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configureAmplify } from './support/configure-amplify.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna } from './support/wire-clients.ts';

let server: IdentityServer;
let stored: Map<string, string>;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: { limits: 'off', refreshTokenRotation: true, refreshTokenGraceSeconds: 0 },
  });
  await server.service.users.createUser(anna);
  stored = configureAmplify(server);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  await signOut().catch(() => undefined);
  stored.clear();
  await signIn({ username: anna.email, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
  await confirmSignIn({ challengeResponse: server.codeFor(anna.email) });
});

const refreshToken = () =>
  [...stored].find(([key]) => key.endsWith('.refreshToken'))?.[1] ?? 'none is stored';

describe('aws-amplify with rotation of refresh tokens, unchanged', () => {
  it('stores each new refresh token and continues with it', async () => {
    const seen = new Set([refreshToken()]);
    for (let turn = 0; turn < 3; turn += 1) {
      const { tokens } = await fetchAuthSession({ forceRefresh: true });
      expect(tokens?.idToken?.payload['email']).toBe(anna.email);
      seen.add(refreshToken());
    }
    expect(seen.size).toBe(4);
  });

  it('use of a copied token ends the session: Amplify deletes its tokens', async () => {
    const copied = refreshToken();
    await fetchAuthSession({ forceRefresh: true });
    stored.set([...stored.keys()].find((key) => key.endsWith('.refreshToken')) ?? '', copied);
    const session = await fetchAuthSession({ forceRefresh: true }).catch(() => undefined);
    expect(session?.tokens).toBeUndefined();
    expect([...stored.keys()].filter((key) => key.endsWith('.accessToken'))).toEqual([]);
  });

  it('sign-out with a rotated token revokes the sign-in', async () => {
    await fetchAuthSession({ forceRefresh: true });
    const { tokens } = await fetchAuthSession();
    await signOut();
    const originJti = String(tokens?.accessToken.payload['origin_jti']);
    expect(await server.service.isSignInRevoked(originJti)).toBe(true);
  });
});
