import { createHmac } from 'node:crypto';
import {
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  InitiateAuthCommand,
  RespondToAuthChallengeCommand,
  RevokeTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt, importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeyPairs } from '../src/keys/key-pair-store.ts';
import { createKeySeal } from '../src/secrets/key-seal.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, clientId, signIn, startSignIn, userPoolClient } from './support/wire-clients.ts';

const SECRET = 'a secret of a server program';
let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  await server.service.users.createUser(anna);
  await server.service.clients.saveClient({ clientId: 'program', name: 'Program', secret: SECRET });
  await server.service.clients.saveClient({
    clientId: 'lasting',
    name: 'Without revocation',
    tokenRevocation: false,
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const secretHash = (username: string, secret = SECRET) =>
  createHmac('sha256', secret).update(`${username}program`).digest('base64');

function start(parameters: Record<string, string>, client = 'program') {
  return userPoolClient(server).send(
    new InitiateAuthCommand({
      AuthFlow: 'CUSTOM_AUTH',
      ClientId: client,
      AuthParameters: parameters,
    }),
  );
}

async function signInProgram() {
  const started = await start({ USERNAME: 'anna', SECRET_HASH: secretHash('anna') });
  return userPoolClient(server).send(
    new RespondToAuthChallengeCommand({
      ChallengeName: 'CUSTOM_CHALLENGE',
      ClientId: 'program',
      Session: started.Session,
      ChallengeResponses: {
        USERNAME: 'anna',
        ANSWER: server.codeFor(anna.email),
        SECRET_HASH: secretHash('anna'),
      },
    }),
  );
}

describe('a client with a secret', () => {
  it('signs in and refreshes with SECRET_HASH or ClientSecret', async () => {
    const { AuthenticationResult: tokens } = await signInProgram();
    const { sub } = decodeJwt(tokens?.IdToken ?? '');
    const refreshToken = tokens?.RefreshToken ?? '';
    for (const username of ['anna', String(sub)]) {
      const reply = await userPoolClient(server).send(
        new InitiateAuthCommand({
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          ClientId: 'program',
          AuthParameters: { REFRESH_TOKEN: refreshToken, SECRET_HASH: secretHash(username) },
        }),
      );
      expect(reply.AuthenticationResult?.IdToken).toBeDefined();
    }
    const input = { ClientId: 'program', ClientSecret: SECRET };
    await userPoolClient(server).send(
      new GetTokensFromRefreshTokenCommand({ ...input, RefreshToken: refreshToken }),
    );
    await userPoolClient(server).send(new RevokeTokenCommand({ ...input, Token: refreshToken }));
  });

  it('is rejected without the hash and with an incorrect one, in every operation', async () => {
    const { AuthenticationResult: tokens } = await signInProgram();
    const missing = {
      name: 'NotAuthorizedException',
      message: 'Client program is configured with secret but SECRET_HASH was not received',
    };
    const wrong = {
      name: 'NotAuthorizedException',
      message: 'Unable to verify secret hash for client program',
    };
    await expect(start({ USERNAME: 'anna' })).rejects.toMatchObject(missing);
    for (const hash of [secretHash('anna', 'another secret'), secretHash('ANNA'), '', 'x']) {
      await expect(start({ USERNAME: 'anna', SECRET_HASH: hash })).rejects.toMatchObject(wrong);
    }
    const refresh = { ClientId: 'program', RefreshToken: tokens?.RefreshToken };
    await expect(
      userPoolClient(server).send(new GetTokensFromRefreshTokenCommand(refresh)),
    ).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    });
    await expect(
      userPoolClient(server).send(
        new GetTokensFromRefreshTokenCommand({ ...refresh, ClientSecret: 'wrong' }),
      ),
    ).rejects.toMatchObject({ message: 'Unable to verify secret for client program' });
    await expect(
      userPoolClient(server).send(
        new RevokeTokenCommand({ ClientId: 'program', Token: tokens?.RefreshToken }),
      ),
    ).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  it('an unknown user does not bypass the secret', async () => {
    await expect(start({ USERNAME: 'nobody' })).rejects.toMatchObject({
      message: 'Client program is configured with secret but SECRET_HASH was not received',
    });
  });

  it('the secret is not in the database', async () => {
    const { rows } = await server.pool.query<{ row: string }>(
      'select c::text as row from identity.app_client c',
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(SECRET);
  });
});

describe('conditions of the user pool', () => {
  it.each([
    ['UNCONFIRMED', 'UserNotConfirmedException', 'User is not confirmed.'],
    ['RESET_REQUIRED', 'PasswordResetRequiredException', 'Password reset required for the user'],
  ] as const)('a user who is %s is rejected by name', async (status, name, message) => {
    const username = `is-${status.toLowerCase()}`;
    await server.service.users.createUser({
      username,
      email: `${username}@corp.example`,
      status,
    });
    await expect(startSignIn(server, username)).rejects.toMatchObject({ name, message });
  });

  it('a pool without triggers reports it', async () => {
    await using bare = await startIdentityServer({ triggers: 'none' });
    await bare.service.users.createUser(anna);
    await expect(startSignIn(bare, 'anna')).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'Custom auth lambda trigger is not configured for the user pool.',
    });
  });

  it('refreshing reports that the user is disabled or deleted', async () => {
    const user = await server.service.users.createUser({
      username: 'leaver',
      email: 'l@corp.example',
    });
    const tokens = await signIn(server, { username: 'leaver', email: 'l@corp.example' });
    const refresh = () =>
      userPoolClient(server).send(
        new GetTokensFromRefreshTokenCommand({
          ClientId: clientId(server),
          RefreshToken: tokens.RefreshToken,
        }),
      );
    await server.service.users.disableUser(user.sub);
    await expect(refresh()).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'User is disabled.',
    });
    await server.service.users.deleteUser(user.sub);
    await expect(refresh()).rejects.toMatchObject({ name: 'UserNotFoundException' });
  });

  it("a token of another client is 'Invalid Refresh Token', and cannot be revoked by this one", async () => {
    const tokens = await signIn(server, anna);
    await expect(
      userPoolClient(server).send(
        new GetTokensFromRefreshTokenCommand({
          ClientId: 'lasting',
          RefreshToken: tokens.RefreshToken,
        }),
      ),
    ).rejects.toMatchObject({ message: 'Invalid Refresh Token' });
    const token = { Token: tokens.RefreshToken };
    await expect(
      userPoolClient(server).send(
        new RevokeTokenCommand({ ...token, ClientId: 'program', ClientSecret: SECRET }),
      ),
    ).rejects.toMatchObject({ name: 'UnauthorizedException' });
    await expect(
      userPoolClient(server).send(new RevokeTokenCommand({ ...token, ClientId: 'lasting' })),
    ).rejects.toMatchObject({ name: 'UnsupportedOperationException' });
    await expect(
      userPoolClient(server).send(
        new RevokeTokenCommand({ Token: 'garbage', ClientId: clientId(server) }),
      ),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  it('an access token without the user scope is rejected because of its scopes', async () => {
    const tokens = await signIn(server, anna);
    const [key] = await readKeyPairs(server.pool, ['access']);
    if (key === undefined) throw new Error('no key');
    const pem = createKeySeal(server.sealingKey).open(key.sealed, key.kid);
    const narrow = await new SignJWT({ ...decodeJwt(tokens.AccessToken), scope: 'devices/read' })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid })
      .sign(await importPKCS8(pem, 'RS256'));
    await expect(
      userPoolClient(server).send(new GetUserCommand({ AccessToken: narrow })),
    ).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: 'Access Token does not have required scopes',
    });
    await expect(
      userPoolClient(server).send(new GetUserCommand({ AccessToken: 'noise' })),
    ).rejects.toMatchObject({
      message: 'Invalid Access Token',
    });
  });
});

describe('groups with roles', () => {
  const roleArn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;

  it('roles are in the ID token in order, and the one of the first group is preferred', async () => {
    const { users, groups } = server.service;
    const { sub } = await users.createUser({ username: 'roles', email: 'roles@corp.example' });
    const claims = async () => {
      const tokens = await signIn(server, { username: 'roles', email: 'roles@corp.example' });
      expect(decodeJwt(tokens.AccessToken)).not.toHaveProperty('cognito:roles');
      return decodeJwt(tokens.IdToken);
    };
    expect(await claims()).not.toHaveProperty('cognito:groups');
    const wanted = [
      { name: 'last', roleArn: roleArn('last') },
      { name: 'second', precedence: 5, roleArn: roleArn('second') },
      { name: 'first', precedence: 1, roleArn: roleArn('first') },
      { name: 'without', precedence: 0 },
    ];
    for (const group of wanted) {
      await groups.ensureGroup(group);
      await groups.addUserToGroup(sub, group.name);
    }
    expect(await claims()).toMatchObject({
      'cognito:groups': ['without', 'first', 'second', 'last'],
      'cognito:roles': ['first', 'second', 'last'].map(roleArn),
      'cognito:preferred_role': roleArn('first'),
    });
    await groups.ensureGroup({ name: 'rival', precedence: 1, roleArn: roleArn('rival') });
    await groups.addUserToGroup(sub, 'rival');
    expect(await claims()).not.toHaveProperty('cognito:preferred_role');
  });
});
