import {
  AuthenticationDetails,
  CognitoUser,
  CognitoUserPool,
  type CognitoUserSession,
} from 'amazon-cognito-identity-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, otherCode } from './support/wire-clients.ts';

let server: IdentityServer;
let user: CognitoUser;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  await server.service.users.createUser(anna);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  user = newUser(anna.email);
});

function newUser(Username: string): CognitoUser {
  const { userPoolId, userPoolClientId } = server.service.settings;
  const Pool = new CognitoUserPool({
    UserPoolId: userPoolId,
    ClientId: userPoolClientId,
    endpoint: server.endpoint,
    Storage: memoryStorage(),
  });
  const created = new CognitoUser({ Username, Pool, Storage: memoryStorage() });
  created.setAuthenticationFlowType('CUSTOM_AUTH');
  return created;
}

function memoryStorage() {
  const stored = new Map<string, string>();
  return {
    setItem: (key: string, value: string) => void stored.set(key, value),
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  };
}

type Step =
  | { readonly challenge: Record<string, string> }
  | { readonly session: CognitoUserSession };

/** The library's callbacks as a promise. */
function step(run: (callbacks: Parameters<CognitoUser['initiateAuth']>[1]) => void): Promise<Step> {
  return new Promise((resolve, reject) =>
    run({
      onSuccess: (session) => resolve({ session }),
      onFailure: (error: Error) => reject(error),
      customChallenge: (challenge: Record<string, string>) => resolve({ challenge }),
    }),
  );
}

const start = (one = user) =>
  step((callbacks) =>
    one.initiateAuth(new AuthenticationDetails({ Username: one.getUsername() }), callbacks),
  );
const answer = (code: string) =>
  step((callbacks) => user.sendCustomChallengeAnswer(code, callbacks));
const promised = <T>(run: (done: (error: unknown, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) =>
    run((error, value) => (error ? reject(error as Error) : resolve(value as T))),
  );

describe('amazon-cognito-identity-js, unchanged', () => {
  it('signs in after an incorrect and a correct code', async () => {
    expect(await start()).toMatchObject({ challenge: { medium: 'email', attemptsLeft: '3' } });
    const code = server.codeFor(anna.email);
    expect(await answer(otherCode(code))).toMatchObject({ challenge: { attemptsLeft: '2' } });
    const done = await answer(code);
    if (!('session' in done)) throw new Error('no session');
    expect(done.session.isValid()).toBe(true);
    expect(done.session.getIdToken().payload['email']).toBe(anna.email);
  });

  it('reads the user, refreshes by REFRESH_TOKEN_AUTH, and signs out globally', async () => {
    await start();
    const done = await answer(server.codeFor(anna.email));
    if (!('session' in done)) throw new Error('no session');
    const data = await promised<{ Username: string }>((callback) => user.getUserData(callback));
    expect(data.Username).toBe('anna');
    const renewed = await promised<CognitoUserSession>((callback) =>
      user.refreshSession(done.session.getRefreshToken(), callback),
    );
    expect(renewed.getAccessToken().payload['jti']).not.toBe(
      done.session.getAccessToken().payload['jti'],
    );
    await new Promise<void>((resolve, reject) =>
      user.globalSignOut({ onSuccess: () => resolve(), onFailure: reject }),
    );
    const originJti = String(done.session.getAccessToken().payload['origin_jti']);
    expect(await server.service.isSignInRevoked(originJti)).toBe(true);
  });

  it('sign-out revokes the session', async () => {
    await start();
    const done = await answer(server.codeFor(anna.email));
    if (!('session' in done)) throw new Error('no session');
    await new Promise<void>((resolve) => user.signOut(resolve));
    const originJti = String(done.session.getAccessToken().payload['origin_jti']);
    expect(await server.service.isSignInRevoked(originJti)).toBe(true);
  });

  it('an unknown user has its error name', async () => {
    await expect(start(newUser('nobody'))).rejects.toMatchObject({
      name: 'UserNotFoundException',
      message: 'User does not exist.',
    });
  });
});
