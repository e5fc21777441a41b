import {
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna, clientId, signIn, userPoolClient, type Tokens } from './support/wire-clients.ts';

const GRACE_SECONDS = 20;
let server: IdentityServer;
let tokens: Tokens;

beforeAll(async () => {
  server = await startIdentityServer({
    settings: {
      limits: 'off',
      refreshTokenRotation: true,
      refreshTokenGraceSeconds: GRACE_SECONDS,
    },
  });
  await server.service.users.createUser(anna);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  tokens = await signIn(server, anna);
});

async function refresh(refreshToken: string): Promise<Tokens> {
  const reply = await userPoolClient(server).send(
    new GetTokensFromRefreshTokenCommand({
      ClientId: clientId(server),
      RefreshToken: refreshToken,
    }),
  );
  return reply.AuthenticationResult as Tokens;
}

const getUser = ({ AccessToken }: Tokens) =>
  userPoolClient(server).send(new GetUserCommand({ AccessToken }));

describe('rotation of refresh tokens', () => {
  it('every refresh returns a new token of the same sign-in with the same end', async () => {
    const first = await refresh(tokens.RefreshToken);
    const second = await refresh(first.RefreshToken);
    expect(new Set([tokens, first, second].map((each) => each.RefreshToken)).size).toBe(3);
    for (const claim of ['origin_jti', 'auth_time', 'sub']) {
      expect(decodeJwt(second.IdToken)[claim]).toBe(decodeJwt(tokens.IdToken)[claim]);
    }
    const { rows } = await server.pool.query<{ ends: string }>(
      'select count(distinct expires_at) as ends from identity.refresh_token where origin_jti = $1',
      [decodeJwt(tokens.IdToken)['origin_jti']],
    );
    expect(Number(rows[0]?.ends)).toBe(1);
  });

  it('within the grace time, a retry with the old token works, also in ten concurrent tabs', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => refresh(tokens.RefreshToken)));
    server.clock.advance((GRACE_SECONDS - 2) * 1_000);
    await refresh(tokens.RefreshToken);
    await expect(refresh(all[4]?.RefreshToken ?? '')).resolves.toBeDefined();
  });

  it('reuse after the grace time is rejected by name and ends the whole sign-in', async () => {
    const next = await refresh(tokens.RefreshToken);
    server.clock.advance(GRACE_SECONDS * 1_000 + 1);
    await expect(refresh(tokens.RefreshToken)).rejects.toMatchObject({
      name: 'RefreshTokenReuseException',
      $metadata: { httpStatusCode: 400 },
    });
    await expect(refresh(next.RefreshToken)).rejects.toMatchObject({
      message: 'Refresh Token has been revoked',
    });
    await expect(getUser(next)).rejects.toMatchObject({ message: 'Access Token has been revoked' });
  });

  it('without a grace time, the second use is a reuse; of ten concurrent ones, one succeeds', async () => {
    await using strict = await startIdentityServer({
      settings: { limits: 'off', refreshTokenRotation: true, refreshTokenGraceSeconds: 0 },
    });
    await strict.service.users.createUser(anna);
    const { RefreshToken } = await signIn(strict, anna);
    const command = { ClientId: clientId(strict), RefreshToken };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        userPoolClient(strict).send(new GetTokensFromRefreshTokenCommand(command)),
      ),
    );
    const names = outcomes.map((one) =>
      one.status === 'fulfilled' ? 'renewed' : (one.reason as Error).name,
    );
    expect(names.filter((name) => name === 'renewed')).toHaveLength(1);
    expect(names).toContain('RefreshTokenReuseException');
  });

  it('REFRESH_TOKEN_AUTH is off, because it cannot return the new token', async () => {
    await expect(
      userPoolClient(server).send(
        new InitiateAuthCommand({
          AuthFlow: 'REFRESH_TOKEN_AUTH',
          ClientId: clientId(server),
          AuthParameters: { REFRESH_TOKEN: tokens.RefreshToken },
        }),
      ),
    ).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'REFRESH_TOKEN_AUTH flow not enabled for this client',
    });
  });

  it('a sign-out concurrent with refreshes leaves no valid token', async () => {
    const user = await server.service.users.findUser(anna.username);
    for (let turn = 0; turn < 8; turn += 1) {
      const { RefreshToken } = await signIn(server, anna);
      const renewals = Array.from({ length: 6 }, () => refresh(RefreshToken));
      const outcomes = await Promise.allSettled([
        ...renewals,
        server.service.users.signOutUser(user?.sub ?? ''),
      ]);
      const successors = outcomes.flatMap((one) =>
        one.status === 'fulfilled' && one.value ? [one.value.RefreshToken] : [],
      );
      for (const successor of [RefreshToken, ...successors]) {
        await expect(refresh(successor)).rejects.toMatchObject({
          message: 'Refresh Token has been revoked',
        });
      }
    }
  });
});
