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
import { anna, otherCode } from './support/wire-clients.ts';

let server: IdentityServer;
let stored: Map<string, string>;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  const { sub } = await server.service.users.createUser(anna);
  await server.service.groups.addUserToGroup(sub, 'DevicePortal_Admin');
  stored = configureAmplify(server);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  await signOut().catch(() => undefined);
  stored.clear();
});

async function signInAnna() {
  await signIn({ username: anna.email, options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
  return confirmSignIn({ challengeResponse: server.codeFor(anna.email) });
}

describe('aws-amplify, unchanged', () => {
  it('signs in by custom challenge and passes the challenge parameters to the screen', async () => {
    const { nextStep } = await signIn({
      username: anna.email,
      options: { authFlowType: 'CUSTOM_WITHOUT_SRP' },
    });
    expect(nextStep).toMatchObject({
      signInStep: 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE',
      additionalInfo: { medium: 'email', attemptsLeft: '3' },
    });
    const wrong = await confirmSignIn({
      challengeResponse: otherCode(server.codeFor(anna.email)),
    });
    expect(wrong.nextStep).toMatchObject({
      signInStep: 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE',
      additionalInfo: { attemptsLeft: '2' },
    });
    const right = await confirmSignIn({ challengeResponse: server.codeFor(anna.email) });
    expect(right).toMatchObject({ isSignedIn: true });
    expect(await getCurrentUser()).toMatchObject({ username: 'anna' });
  });

  it('exchanges guest credentials for signed-in credentials of the same identity every time', async () => {
    const guest = await fetchAuthSession();
    expect(guest.tokens).toBeUndefined();
    expect(guest.credentials?.accessKeyId).toMatch(/^ASIA/);
    await signInAnna();
    const session = await fetchAuthSession();
    expect(session.tokens?.idToken?.payload['cognito:groups']).toEqual(['DevicePortal_Admin']);
    expect(session.credentials?.accessKeyId).not.toBe(guest.credentials?.accessKeyId);
    const lifetimeMs = (session.credentials?.expiration?.getTime() ?? 0) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(59 * 60_000);
    expect(lifetimeMs).toBeLessThanOrEqual(60 * 60_000);
    await signOut();
    await signInAnna();
    expect((await fetchAuthSession()).identityId).toBe(session.identityId);
  });

  it('refreshes on demand: new tokens of the same sign-in', async () => {
    await signInAnna();
    const before = (await fetchAuthSession()).tokens;
    const after = (await fetchAuthSession({ forceRefresh: true })).tokens;
    expect(after?.accessToken.payload.jti).not.toBe(before?.accessToken.payload.jti);
    expect(after?.accessToken.payload['origin_jti']).toBe(
      before?.accessToken.payload['origin_jti'],
    );
  });

  it('sign-out revokes the session at the pool', async () => {
    await signInAnna();
    const originJti = (await fetchAuthSession()).tokens?.accessToken.payload['origin_jti'];
    await signOut();
    expect(await server.service.isSignInRevoked(String(originJti))).toBe(true);
    expect((await fetchAuthSession()).tokens).toBeUndefined();
  });

  it('global sign-out ends it for every other browser: the next refresh clears its tokens', async () => {
    await signInAnna();
    const { sub } = await server.service.users.findUser('anna').then((user) => user ?? { sub: '' });
    await server.service.users.signOutUser(sub);
    const session = await fetchAuthSession({ forceRefresh: true }).catch(() => undefined);
    expect(session?.tokens).toBeUndefined();
    expect([...stored.keys()].filter((key) => key.endsWith('accessToken'))).toEqual([]);
  });

  it('an unknown user and a used code have distinct error names', async () => {
    await expect(
      signIn({ username: 'nobody', options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } }),
    ).rejects.toMatchObject({ name: 'UserNotFoundException' });
    await signIn({ username: 'anna', options: { authFlowType: 'CUSTOM_WITHOUT_SRP' } });
    const wrong = { challengeResponse: otherCode(server.codeFor(anna.email)) };
    await confirmSignIn(wrong);
    await confirmSignIn(wrong);
    await expect(confirmSignIn(wrong)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Incorrect username or password.',
    });
  });
});
