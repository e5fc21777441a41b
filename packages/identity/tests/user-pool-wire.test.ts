import { randomUUID } from 'node:crypto';
import {
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  GlobalSignOutCommand,
  InitiateAuthCommand,
  RevokeTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import * as fc from 'fast-check';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import {
  anna,
  answerChallenge,
  clientId,
  otherCode,
  signIn,
  startSignIn,
  userPoolClient,
  type Tokens,
} from './support/wire-clients.ts';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
});
afterAll(() => server[Symbol.asyncDispose]());

/** A person of the test's own, so that what one test ends does not end another's session. */
async function newPerson(prefix = 'p') {
  const username = `${prefix}${randomUUID().slice(0, 8)}`;
  const email = `${username}@corp.example`;
  const user = await server.service.users.createUser({ username, email, name: 'Person' });
  return { username, email, sub: user.sub };
}

const refresh = (refreshToken: string, client = clientId(server)) =>
  userPoolClient(server).send(
    new GetTokensFromRefreshTokenCommand({ ClientId: client, RefreshToken: refreshToken }),
  );
const getUser = (accessToken: string | undefined) =>
  userPoolClient(server).send(new GetUserCommand({ AccessToken: accessToken }));

describe('challenge sessions', () => {
  it('[session-1] of ten concurrent answers with the same session, exactly one signs in', async () => {
    const person = await newPerson();
    const started = await startSignIn(server, person.username);
    const answer = server.codeFor(person.email);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        answerChallenge(server, { session: started.Session, username: person.username, answer }),
      ),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as Error).message] : [],
    );
    expect(refusals).toEqual(
      Array(9).fill('Invalid session for the user, session can only be used once.'),
    );
  });

  it('a session is used up by an incorrect answer', async () => {
    const person = await newPerson();
    const { username } = person;
    const started = await startSignIn(server, username);
    const code = server.codeFor(person.email);
    await answerChallenge(server, { session: started.Session, username, answer: otherCode(code) });
    await expect(
      answerChallenge(server, { session: started.Session, username, answer: code }),
    ).rejects.toMatchObject({
      message: 'Invalid session for the user, session can only be used once.',
    });
  });

  it('[session-3] a session does not open another user’s account, and stays valid for its own', async () => {
    const [mine, other] = [await newPerson(), await newPerson()];
    const started = await startSignIn(server, mine.username);
    const answer = server.codeFor(mine.email);
    await expect(
      answerChallenge(server, { session: started.Session, username: other.username, answer }),
    ).rejects.toMatchObject({ message: 'Invalid session for the user.' });
    const reply = await answerChallenge(server, {
      session: started.Session,
      username: mine.email,
      answer,
    });
    expect(decodeJwt(reply.AuthenticationResult?.IdToken ?? '').sub).toBe(mine.sub);
  });

  it('any other text instead of a session is rejected with 400, without an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 20, maxLength: 200 }),
        async (session) => {
          const refusal = await answerChallenge(server, { session, answer: '123456' }).catch(
            (error: unknown) => error,
          );
          expect(refusal).toMatchObject({
            name: session.includes('\0') ? 'InvalidParameterException' : 'NotAuthorizedException',
            $metadata: { httpStatusCode: 400 },
          });
        },
      ),
      { numRuns: 40 },
    );
    expect(server.failures).toEqual([]);
  });
});

describe('disabling', () => {
  it('a sign-in during which the user is disabled leaves no session', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const person = await newPerson();
      const started = await startSignIn(server, person.username);
      const [outcome] = await Promise.allSettled([
        answerChallenge(server, {
          session: started.Session,
          username: person.username,
          answer: server.codeFor(person.email),
        }),
        server.service.users.disableUser(person.sub),
      ]);
      await server.service.users.enableUser(person.sub);
      const reply = outcome.status === 'fulfilled' ? outcome.value : undefined;
      const refused = await refresh(reply?.AuthenticationResult?.RefreshToken ?? 'none').catch(
        (error: unknown) => (error as Error).message,
      );
      expect(refused).toMatch(/^(Refresh Token has been revoked|Invalid Refresh Token)$/);
    }
  });
});

describe('tokens', () => {
  let tokens: Tokens;
  let person: Awaited<ReturnType<typeof newPerson>>;
  beforeAll(async () => {
    person = await newPerson();
    await server.service.groups.addUserToGroup(person.sub, 'DevicePortal_Admin');
    tokens = await signIn(server, person);
  });

  it('the ID token has the claims of a hosted pool', () => {
    const claims = decodeJwt(tokens.IdToken);
    expect(claims).toMatchObject({
      sub: person.sub,
      iss: server.service.settings.issuer,
      aud: clientId(server),
      token_use: 'id',
      'cognito:username': person.username,
      'cognito:groups': ['DevicePortal_Admin'],
      email: person.email,
      email_verified: true,
      name: 'Person',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3_600);
    for (const name of ['auth_time', 'jti', 'origin_jti', 'event_id']) {
      expect(claims).toHaveProperty(name);
    }
  });

  it('the access token contains client and user, no audience, and origin_jti', () => {
    const claims = decodeJwt(tokens.AccessToken);
    expect(claims).toMatchObject({
      client_id: clientId(server),
      username: person.username,
      token_use: 'access',
      scope: 'aws.cognito.signin.user.admin',
      origin_jti: decodeJwt(tokens.IdToken)['origin_jti'],
    });
    expect(claims.aud).toBeUndefined();
  });

  it('[token-3] both verify against the key set, signed with different keys, header without typ', async () => {
    const keySet = createRemoteJWKSet(
      new URL(`${server.service.settings.issuer}/.well-known/jwks.json`),
    );
    await jwtVerify(tokens.IdToken, keySet, { issuer: server.service.settings.issuer });
    await jwtVerify(tokens.AccessToken, keySet);
    const [idHeader, accessHeader] = [tokens.IdToken, tokens.AccessToken].map(
      decodeProtectedHeader,
    );
    expect(Object.keys(idHeader ?? {}).toSorted()).toEqual(['alg', 'kid']);
    expect(idHeader?.kid).not.toBe(accessHeader?.kid);
    const { keys } = await server.service.keySet();
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual(
      Array.from({ length: 2 }, () => ['alg', 'e', 'kid', 'kty', 'n', 'use']),
    );
  });

  it('a second start on the same database keeps the keys', async () => {
    const { createIdentityService } = await import('../src/cognito/identity-service.ts');
    const again = await createIdentityService({
      pool: server.pool,
      sealingKey: server.sealingKey,
      messenger: { send: async () => {} },
      settings: { issuer: server.service.settings.issuer },
    });
    expect(await again.keySet()).toEqual(await server.service.keySet());
  });

  it('GetUser returns the attributes as strings', async () => {
    const user = await getUser(tokens.AccessToken);
    expect(user.Username).toBe(person.username);
    expect(user.UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'true' });
  });

  it('GetUser rejects an ID token, a changed token, and invalid text, each with 400', async () => {
    const changed = `${tokens.AccessToken.slice(0, -6)}AAAAAA`;
    await expect(getUser(tokens.IdToken)).rejects.toMatchObject({
      message: 'Could not verify signature for Access Token',
    });
    await expect(getUser(changed)).rejects.toMatchObject({
      message: 'Could not verify signature for Access Token',
    });
    await fc.assert(
      fc.asyncProperty(fc.base64String({ minLength: 1 }), async (noise) => {
        const refusal = await getUser(`${noise}.${noise}.${noise}`).catch(
          (error: unknown) => error,
        );
        expect(refusal).toMatchObject({
          name: 'NotAuthorizedException',
          $metadata: { httpStatusCode: 400 },
        });
      }),
      { numRuns: 25 },
    );
  });
});

describe('refresh', () => {
  it('[refresh-1] keeps sub, auth_time, and origin_jti, renews jti, and reads groups again', async () => {
    const person = await newPerson();
    const tokens = await signIn(server, person);
    await server.service.groups.addUserToGroup(person.sub, 'DevicePortal_Admin');
    const reply = await refresh(tokens.RefreshToken);
    const before = decodeJwt(tokens.AccessToken);
    const after = decodeJwt(reply.AuthenticationResult?.AccessToken ?? '');
    for (const name of ['sub', 'auth_time', 'origin_jti']) expect(after[name]).toBe(before[name]);
    expect(after.jti).not.toBe(before.jti);
    expect(after['cognito:groups']).toEqual(['DevicePortal_Admin']);
    expect(reply.AuthenticationResult?.RefreshToken).toBeUndefined();
  });

  it('REFRESH_TOKEN_AUTH of older clients returns the same', async () => {
    const tokens = await signIn(server, await newPerson());
    const reply = await userPoolClient(server).send(
      new InitiateAuthCommand({
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        ClientId: clientId(server),
        AuthParameters: { REFRESH_TOKEN: tokens.RefreshToken },
      }),
    );
    expect(reply.AuthenticationResult?.IdToken).toBeDefined();
    expect(reply.ChallengeParameters).toEqual({});
  });

  it('invalid text, a revoked token, and a disabled user are rejected with specific messages', async () => {
    const person = await newPerson();
    const tokens = await signIn(server, person);
    await expect(refresh('garbage')).rejects.toMatchObject({ message: 'Invalid Refresh Token' });
    await server.service.users.disableUser(person.sub);
    await expect(refresh(tokens.RefreshToken)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    });
    await expect(startSignIn(server, person.username)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User is disabled.',
    });
    await server.service.users.enableUser(person.sub);
    await expect(refresh(tokens.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    });
  });

  it('[refresh-4] refreshing does not extend the session: no token is valid after its end', async () => {
    await using short = await startIdentityServer({
      settings: { limits: 'off', sessionDurationMinutes: 90 },
    });
    await short.service.users.createUser(anna);
    const tokens = await signIn(short, anna);
    const again = () =>
      userPoolClient(short).send(
        new GetTokensFromRefreshTokenCommand({
          ClientId: clientId(short),
          RefreshToken: tokens.RefreshToken,
        }),
      );
    short.clock.advance(60 * 60_000);
    const late = (await again()).AuthenticationResult;
    expect(late?.ExpiresIn).toBeLessThanOrEqual(30 * 60);
    short.clock.advance(30 * 60_000);
    await expect(again()).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Refresh Token has expired',
    });
    await expect(
      userPoolClient(short).send(new GetUserCommand({ AccessToken: late?.AccessToken })),
    ).rejects.toMatchObject({ message: 'Access Token has expired' });
  });
});

describe('end of a session', () => {
  it('[end-1] RevokeToken ends only one sign-in with its access tokens', async () => {
    const person = await newPerson();
    const [first, second] = [await signIn(server, person), await signIn(server, person)];
    await userPoolClient(server).send(
      new RevokeTokenCommand({ ClientId: clientId(server), Token: first.RefreshToken }),
    );
    await expect(refresh(first.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    });
    await expect(getUser(first.AccessToken)).rejects.toMatchObject({
      message: 'Access Token has been revoked',
    });
    await expect(getUser(second.AccessToken)).resolves.toBeDefined();
    const { origin_jti: originJti } = decodeJwt(first.IdToken);
    expect(await server.service.isSignInRevoked(String(originJti))).toBe(true);
  });

  it('RevokeToken rejects an access token by its type', async () => {
    const tokens = await signIn(server, await newPerson());
    await expect(
      userPoolClient(server).send(
        new RevokeTokenCommand({ ClientId: clientId(server), Token: tokens.AccessToken }),
      ),
    ).rejects.toMatchObject({ name: 'UnsupportedTokenTypeException' });
  });

  it('GlobalSignOut ends every sign-in of the user', async () => {
    const person = await newPerson();
    const [first, second] = [await signIn(server, person), await signIn(server, person)];
    await userPoolClient(server).send(new GlobalSignOutCommand({ AccessToken: first.AccessToken }));
    for (const tokens of [first, second]) {
      await expect(refresh(tokens.RefreshToken)).rejects.toThrow('Refresh Token has been revoked');
      await expect(getUser(tokens.AccessToken)).rejects.toThrow('Access Token has been revoked');
    }
    await expect(signIn(server, person)).resolves.toBeDefined();
  });
});

describe('protocol', () => {
  let target = '';
  beforeEach(() => {
    target = 'AWSCognitoIdentityProviderService.InitiateAuth';
  });
  const post = (body: string) =>
    fetch(server.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body,
    });

  it('an error is HTTP 400 with its name in header and body', async () => {
    const response = await post(
      JSON.stringify({
        AuthFlow: 'CUSTOM_AUTH',
        ClientId: clientId(server),
        AuthParameters: { USERNAME: 'nobody' },
      }),
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('x-amzn-errortype')).toBe('UserNotFoundException:');
    expect(response.headers.get('x-amzn-errormessage')).toBe('User does not exist.');
    expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toEqual({
      __type: 'UserNotFoundException',
      message: 'User does not exist.',
    });
  });

  it.each([
    ['not JSON', '{', 'SerializationException'],
    ['a list', '[]', 'SerializationException'],
    ['nothing', '{}', 'InvalidParameterException'],
    ['a wrong type', '{"AuthFlow":"CUSTOM_AUTH","ClientId":7}', 'InvalidParameterException'],
    [
      'a long client id',
      `{"AuthFlow":"CUSTOM_AUTH","ClientId":"${'x'.repeat(200)}"}`,
      'InvalidParameterException',
    ],
    [
      'another client',
      '{"AuthFlow":"CUSTOM_AUTH","ClientId":"other"}',
      'ResourceNotFoundException',
    ],
    [
      'no user name',
      '{"AuthFlow":"CUSTOM_AUTH","ClientId":"deviceportalweb"}',
      'InvalidParameterException',
    ],
    [
      'a password flow',
      '{"AuthFlow":"USER_PASSWORD_AUTH","ClientId":"deviceportalweb"}',
      'InvalidParameterException',
    ],
    [
      'NUL in the user name',
      '{"AuthFlow":"CUSTOM_AUTH","ClientId":"deviceportalweb","AuthParameters":{"USERNAME":"a\\u0000"}}',
      'InvalidParameterException',
    ],
  ])('%s is rejected by name', async (_what, body, name) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: name });
  });

  it('an unknown operation is rejected by name', async () => {
    target = 'AWSCognitoIdentityProviderService.toString';
    expect(await (await post('{}')).json()).toMatchObject({ __type: 'UnknownOperationException' });
  });

  it('[wire-4] a database failure is HTTP 500 without details', async () => {
    await using broken = await startIdentityServer();
    await broken.owner.query('drop table identity.app_client');
    const refusal = await startSignIn(broken, 'anna').catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: 'InternalErrorException',
      message: 'Something went wrong.',
      $metadata: { httpStatusCode: 500 },
    });
    expect(broken.failures).toHaveLength(1);
  });
});
