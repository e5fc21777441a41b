import {
  confirmSignIn,
  fetchAuthSession,
  getCurrentUser,
  signIn,
  signOut,
} from '@aws-amplify/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configureAmplify } from './support/configure-amplify.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna } from './support/wire-clients.ts';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: { limits: 'off', userExistenceErrors: 'ENABLED' },
  });
  await server.service.users.createUser(anna);
  configureAmplify(server);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => signOut().catch(() => undefined));

const start = (username: string) =>
  signIn({ username, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });

describe('aws-amplify where users are hidden, unchanged', () => {
  it.each([anna.username, anna.email, 'ANNA@corp.example'])(
    '%s signs in, refreshes, and signs out',
    async (typed) => {
      await start(typed);
      const done = await confirmSignIn({ challengeResponse: server.codeFor(anna.email) });
      expect(done).toMatchObject({ isSignedIn: true });
      expect(await getCurrentUser()).toMatchObject({ username: 'anna' });
      const renewed = await fetchAuthSession({ forceRefresh: true });
      expect(renewed.tokens?.idToken?.payload['email']).toBe(anna.email);
      expect(renewed.credentials?.accessKeyId).toMatch(/^ASIA/);
      await signOut();
      const originJti = String(renewed.tokens?.accessToken.payload['origin_jti']);
      expect(await server.service.isSignInRevoked(originJti)).toBe(true);
    },
  );

  it('an unknown user is asked for a code, and no code is accepted', async () => {
    const { nextStep } = await start('stranger@corp.example');
    expect(nextStep.signInStep).toBe('CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE');
    const again = { signInStep: 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE' };
    for (const challengeResponse of ['123456', 'none']) {
      const reply = await confirmSignIn({ challengeResponse });
      expect(reply.nextStep).toMatchObject(again);
    }
    await expect(confirmSignIn({ challengeResponse: '000000' })).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
  });
});
