import { randomUUID } from 'node:crypto';
import { GetCredentialsForIdentityCommand, GetIdCommand } from '@aws-sdk/client-cognito-identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { identityPoolClient, signIn, type Tokens } from './support/wire-clients.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
});
afterAll(() => server[Symbol.asyncDispose]());

async function newSignIn(on = server): Promise<Tokens & { readonly sub: string }> {
  const username = `p${randomUUID().slice(0, 8)}`;
  const person = { username, email: `${username}@corp.example` };
  const { sub } = await on.service.users.createUser(person);
  return { ...(await signIn(on, person)), sub };
}

const provider = (on = server) => on.service.settings.issuer.replace('http://', '');
const loginsOf = (token: string, on = server) => ({ [provider(on)]: token });
const getId = async (logins?: Record<string, string>, on = server) => {
  const { identityPoolId } = on.service.settings;
  const reply = await identityPoolClient(on).send(
    new GetIdCommand({ IdentityPoolId: identityPoolId, Logins: logins }),
  );
  return reply.IdentityId ?? '';
};
const getCredentials = (identityId: string, logins?: Record<string, string>, on = server) =>
  identityPoolClient(on).send(
    new GetCredentialsForIdentityCommand({ IdentityId: identityId, Logins: logins }),
  );

describe('GetId', () => {
  it('a login has one permanent identity, by either provider name and for concurrent requests', async () => {
    const { IdToken } = await newSignIn();
    const aws = 'cognito-idp.us-east-1.amazonaws.com/us-east-1_DevicePortal';
    const ids = await Promise.all([
      getId(loginsOf(IdToken)),
      getId({ [aws]: IdToken }),
      getId(loginsOf(IdToken)),
    ]);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^us-east-1:[0-9a-f-]{36}$/);
  });

  it('a guest gets a new identity each time; empty logins are a guest', async () => {
    expect(await getId()).not.toBe(await getId({}));
  });

  it('an unknown pool is not found', async () => {
    const other = `us-east-1:${randomUUID()}`;
    await expect(
      identityPoolClient(server).send(new GetIdCommand({ IdentityPoolId: other })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('with guests off, no identity is issued without a login', async () => {
    await using closed = await startIdentityServer({ settings: { limits: 'off', guests: 'off' } });
    const message = 'Unauthenticated access is not supported for this identity pool.';
    await expect(getId(undefined, closed)).rejects.toMatchObject({ message });
    const { IdToken } = await newSignIn(closed);
    await expect(getId(loginsOf(IdToken, closed), closed)).resolves.toBeDefined();
  });
});

describe('GetCredentialsForIdentity', () => {
  it('a new guest becomes the identity of the login', async () => {
    const { IdToken } = await newSignIn();
    const guest = await getId();
    const reply = await getCredentials(guest, loginsOf(IdToken));
    expect(reply.IdentityId).toBe(guest);
    expect(await getId(loginsOf(IdToken))).toBe(guest);
    await expect(getCredentials(guest)).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: `Access to Identity '${guest}' is forbidden.`,
    });
  });

  it('a login with an identity keeps it, and the guest identity is used up', async () => {
    const { IdToken } = await newSignIn();
    const own = await getId(loginsOf(IdToken));
    const guest = await getId();
    const reply = await getCredentials(guest, loginsOf(IdToken));
    expect(reply.IdentityId).toBe(own);
    await expect(getCredentials(guest)).rejects.toMatchObject({ name: 'NotAuthorizedException' });
  });

  it('if several users exchange one guest concurrently, one gets it and the others are rejected', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const people = await Promise.all(Array.from({ length: 4 }, () => newSignIn()));
      const guest = await getId();
      const outcomes = await Promise.allSettled(
        people.map(({ IdToken }) => getCredentials(guest, loginsOf(IdToken))),
      );
      const given = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(given).toHaveLength(1);
      const ids = await Promise.all(people.map(({ IdToken }) => getId(loginsOf(IdToken))));
      expect(new Set(ids).size).toBe(people.length);
    }
  });

  it('the identity of another user is rejected', async () => {
    const [mine, other] = [await newSignIn(), await newSignIn()];
    const identity = await getId(loginsOf(other.IdToken));
    await expect(getCredentials(identity, loginsOf(mine.IdToken))).rejects.toMatchObject({
      name: 'NotAuthorizedException',
      message: expect.stringMatching(/^Logins don't match\./),
    });
  });

  it('invalid tokens are rejected with specific messages', async () => {
    const tokens = await newSignIn();
    const guest = await getId();
    const refused = async (logins: Record<string, string>) =>
      getCredentials(guest, logins).catch((error: unknown) => (error as Error).message);
    expect(await refused(loginsOf(tokens.AccessToken))).toBe(
      'Invalid login token. Missing a required claim: aud',
    );
    expect(await refused({ 'accounts.example': tokens.IdToken })).toBe(
      'Token is not from a supported provider of this identity pool.',
    );
    expect(await refused(loginsOf(`${tokens.IdToken.slice(0, -6)}AAAAAA`))).toMatch(
      /^Invalid login token\./,
    );
    expect(await refused(loginsOf('garbage'))).toMatch(/^Invalid login token\./);
    expect(await refused({ constructor: 'x' })).toMatch(/supported provider/);
  });

  it('after sign-out, the old ID token gets no credentials', async () => {
    const { IdToken, sub } = await newSignIn();
    const identity = await getId(loginsOf(IdToken));
    await server.service.users.signOutUser(sub);
    await expect(getCredentials(identity, loginsOf(IdToken))).rejects.toMatchObject({
      name: 'NotAuthorizedException',
    });
  });

  it('with the server-side token check off, the same token still gets credentials', async () => {
    await using offline = await startIdentityServer({
      settings: { limits: 'off', serverSideTokenCheck: 'off' },
    });
    const { IdToken, sub } = await newSignIn(offline);
    const identity = await getId(loginsOf(IdToken, offline), offline);
    await offline.service.users.signOutUser(sub);
    const reply = await getCredentials(identity, loginsOf(IdToken, offline), offline);
    expect(reply.IdentityId).toBe(identity);
  });

  it('an expired ID token is rejected with both times', async () => {
    await using aging = await startIdentityServer({ settings: { limits: 'off' } });
    const { IdToken } = await newSignIn(aging);
    aging.clock.advance(3_600_000);
    await expect(getId(loginsOf(IdToken, aging), aging)).rejects.toMatchObject({
      message: expect.stringMatching(/^Invalid login token\. Token expired: \d+ >= \d+$/),
    });
  });

  it('secret and session token are not in the database', async () => {
    const { Credentials } = await getCredentials(await getId());
    const { rows } = await server.pool.query<{ text: string }>(
      "select encode(secret_box, 'escape') || encode(session_token_hash, 'escape') || t::text as text from identity.temporary_credential t",
    );
    const all = rows.map((row) => row.text).join('\n');
    expect(all).toContain(Credentials?.AccessKeyId);
    expect(all).not.toContain(Credentials?.SecretKey);
    expect(all).not.toContain(Credentials?.SessionToken);
  });

  it('credentials end with the session they came from', async () => {
    await using short = await startIdentityServer({
      settings: { limits: 'off', sessionDurationMinutes: 10 },
    });
    const { IdToken } = await newSignIn(short);
    const identity = await getId(loginsOf(IdToken, short), short);
    const { Credentials } = await getCredentials(identity, loginsOf(IdToken, short), short);
    const lifeMs = (Credentials?.Expiration?.getTime() ?? 0) - short.clock.now();
    expect(lifeMs).toBeLessThanOrEqual(10 * 60_000);
  });
});

describe('retention', () => {
  it('[expiry-1] deletes expired rows and unused guests, and keeps the identities of users', async () => {
    await using aging = await startIdentityServer({ settings: { limits: 'off' } });
    const { IdToken } = await newSignIn(aging);
    const own = await getId(loginsOf(IdToken, aging), aging);
    await getCredentials(own, loginsOf(IdToken, aging), aging);
    await getId(undefined, aging);
    aging.clock.advance(31 * 86_400_000);
    await aging.service.deleteExpired();
    const { rows } = await aging.pool.query<{ identity_id: string }>(
      'select identity_id from identity.identity',
    );
    expect(rows).toEqual([{ identity_id: own }]);
    for (const table of [
      'auth_session',
      'one_time_code',
      'refresh_token',
      'temporary_credential',
    ]) {
      const left = await aging.pool.query(`select from identity.${table}`);
      expect([table, left.rowCount]).toEqual([table, 0]);
    }
  });
});
