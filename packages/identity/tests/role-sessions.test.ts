import {
  AdminGetUserCommand,
  AdminDeleteUserCommand,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AIR_BLAST_ROLE,
  OPERATE_AIR_BLAST,
  USER_ADMINISTRATION_ROLE,
} from '../src/cognito/roles/builtin-roles.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import {
  newAccessKey,
  poolCredentials,
  signedPoolClient,
  stsClient,
  type Credentials,
} from './support/signed-clients.ts';
import { signIn } from './support/wire-clients.ts';

const UserPoolId = 'us-east-1_DevicePortal';
const arnOf = (role: string) => `arn:aws:iam::000000000000:role/deviceportal/${role}`;
const permissions = new Map<string, readonly string[]>();

let server: IdentityServer;

const start = () =>
  startIdentityServer({
    settings: { limits: 'off' },
    findPermissions: async ({ sub }) => permissions.get(sub) ?? [],
  });

beforeAll(async () => {
  server = await start();
});
afterAll(() => server[Symbol.asyncDispose]());

let people = 0;
/** Somebody who is signed in, with credentials of the identity pool. */
async function newOperator(
  options: { on?: IdentityServer; may?: string[]; groups?: string[] } = {},
) {
  const on = options.on ?? server;
  people += 1;
  const username = `operator-${people}`;
  const email = `${username}@corp.example`;
  const { sub } = await on.service.users.createUser({ username, email });
  permissions.set(sub, options.may ?? ['air-blast:run']);
  for (const group of options.groups ?? []) await on.service.groups.addUserToGroup(sub, group);
  const { IdToken } = await signIn(on, { username, email });
  const { origin_jti: originJti } = JSON.parse(
    Buffer.from(IdToken.split('.')[1] ?? '', 'base64url').toString(),
  ) as { origin_jti: string };
  return { username, sub, originJti, credentials: await poolCredentials(on, IdToken) };
}

interface Assume {
  readonly RoleArn?: string;
  readonly RoleSessionName?: string;
  readonly DurationSeconds?: number;
  readonly Policy?: string;
  readonly SourceIdentity?: string;
}

function assume(credentials: Credentials, input: Assume = {}, on = server) {
  return stsClient(on, credentials).send(
    new AssumeRoleCommand({
      RoleArn: arnOf(AIR_BLAST_ROLE),
      RoleSessionName: 'blast-1',
      DurationSeconds: 900,
      ...input,
    }),
  );
}

function sessionOf(reply: Awaited<ReturnType<typeof assume>>): Required<Credentials> {
  const { AccessKeyId, SecretAccessKey, SessionToken } = reply.Credentials ?? {};
  return {
    accessKeyId: AccessKeyId ?? '',
    secretAccessKey: SecretAccessKey ?? '',
    sessionToken: SessionToken ?? '',
  };
}

const whoIs = (credentials: Credentials, on = server) =>
  stsClient(on, credentials).send(new GetCallerIdentityCommand({}));

const denied = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } };

describe('GetCallerIdentity', () => {
  it('identifies a key, a user, and a guest', async () => {
    const key = await newAccessKey(server);
    expect(await whoIs(key)).toMatchObject({
      Account: '000000000000',
      Arn: `arn:aws:iam::000000000000:user/deviceportal/${key.name}`,
      UserId: expect.stringMatching(/^AIDA[A-Z2-7]{17}$/),
    });
    const { credentials } = await newOperator();
    expect(await whoIs(credentials)).toMatchObject({
      Arn: 'arn:aws:sts::000000000000:assumed-role/DevicePortal_Authenticated/CognitoIdentityCredentials',
      UserId: expect.stringMatching(/^AROA[A-Z2-7]{17}:CognitoIdentityCredentials$/),
    });
    expect((await whoIs(await poolCredentials(server))).Arn).toContain('Unauthenticated');
  });

  it('rejects with the messages and status of STS', async () => {
    const key = await newAccessKey(server);
    await expect(whoIs({ ...key, secretAccessKey: 'x' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
      $metadata: { httpStatusCode: 403 },
    });
    await expect(whoIs({ ...key, accessKeyId: 'AKIAAAAAAAAAAAAAAAAA' })).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const unsigned = await fetch(server.endpoint, {
      method: 'POST',
      headers: form,
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });
    expect(unsigned.status).toBe(403);
    expect(unsigned.headers.get('content-type')).toBe('text/xml');
    expect(await unsigned.text()).toMatch(
      /^<ErrorResponse xmlns="https:\/\/sts\.amazonaws\.com\/doc\/2011-06-15\/"><Error><Type>Sender<\/Type><Code>MissingAuthenticationToken<\/Code>/,
    );
  });
});

describe('AssumeRole', () => {
  it('issues the AirBlast role for 900 s to users with the permission', async () => {
    await using aging = await start();
    const { username, credentials } = await newOperator({ on: aging });
    const reply = await assume(credentials, { SourceIdentity: username }, aging);
    expect(reply.AssumedRoleUser).toEqual({
      Arn: `arn:aws:sts::000000000000:assumed-role/${AIR_BLAST_ROLE}/blast-1`,
      AssumedRoleId: expect.stringMatching(/^AROA[A-Z2-7]{17}:blast-1$/),
    });
    expect(reply.SourceIdentity).toBe(username);
    const leftMs = (reply.Credentials?.Expiration?.getTime() ?? 0) - aging.clock.now();
    expect(leftMs).toBeGreaterThan(890_000);
    expect(leftMs).toBeLessThanOrEqual(900_000);
    const session = sessionOf(reply);
    expect((await whoIs(session, aging)).Arn).toBe(reply.AssumedRoleUser?.Arn);
    aging.clock.advance(890_000);
    await expect(whoIs(session, aging)).resolves.toBeDefined();
    aging.clock.advance(11_000);
    await expect(whoIs(session, aging)).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  it('rejects users without the permission, guests, and applications', async () => {
    const { credentials } = await newOperator({ may: ['devices:read'] });
    await expect(assume(credentials)).rejects.toMatchObject(denied);
    await expect(assume(await poolCredentials(server))).rejects.toMatchObject(denied);
    const everything = {
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: '*', Resource: '*' },
    };
    await expect(assume(await newAccessKey(server, everything))).rejects.toMatchObject(denied);
  });

  it('an unknown role is rejected like one that does not trust the caller', async () => {
    const { credentials } = await newOperator();
    const refused = (role: string) =>
      assume(credentials, { RoleArn: arnOf(role) }).catch((error: Error) =>
        error.message.replaceAll(role, 'ROLE'),
      );
    expect(await refused('Nobody')).toBe(await refused(USER_ADMINISTRATION_ROLE));
  });

  it('the duration is at least 900 s and at most what the role has', async () => {
    const { credentials } = await newOperator();
    for (const DurationSeconds of [0, 899, 901, 3_600]) {
      await expect(assume(credentials, { DurationSeconds })).rejects.toMatchObject({
        name: 'ValidationError',
        $metadata: { httpStatusCode: 400 },
      });
    }
    const { username, credentials: other } = await newOperator();
    const reply = await stsClient(server, other).send(
      new AssumeRoleCommand({ RoleArn: arnOf(AIR_BLAST_ROLE), RoleSessionName: username }),
    );
    expect(reply.Credentials?.Expiration?.getTime()).toBeLessThanOrEqual(
      server.clock.now() + 900_000,
    );
  });

  it('the source identity cannot be another user', async () => {
    const { credentials } = await newOperator();
    await expect(assume(credentials, { SourceIdentity: 'somebody' })).rejects.toMatchObject(denied);
  });

  it('a session policy only reduces permissions', async () => {
    const administrator = { groups: ['DevicePortal_Admin'] };
    const { credentials, username } = await newOperator(administrator);
    const input = { RoleArn: arnOf(USER_ADMINISTRATION_ROLE) };
    const narrow = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: ['cognito-idp:AdminGetUser', 'iot:*'], Resource: '*' },
      ],
    });
    const whole = signedPoolClient(server, sessionOf(await assume(credentials, input)));
    const part = signedPoolClient(
      server,
      sessionOf(await assume(credentials, { ...input, Policy: narrow })),
    );
    await expect(whole.send(new ListUsersCommand({ UserPoolId }))).resolves.toBeDefined();
    const user = { UserPoolId, Username: username };
    await expect(part.send(new AdminGetUserCommand(user))).resolves.toBeDefined();
    await expect(part.send(new ListUsersCommand({ UserPoolId }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('session policy'),
    });
  });

  it('rejects an invalid policy, a policy that is too long, and unsupported parameters', async () => {
    const { credentials } = await newOperator();
    await expect(assume(credentials, { Policy: '{"Statement":[]}' })).rejects.toMatchObject({
      name: 'MalformedPolicyDocumentException',
      Code: 'MalformedPolicyDocument',
    });
    await expect(assume(credentials, { Policy: 'x'.repeat(2_049) })).rejects.toMatchObject({
      name: 'PackedPolicyTooLargeException',
      Code: 'PackedPolicyTooLarge',
    });
    const tagged = new AssumeRoleCommand({
      RoleArn: arnOf(AIR_BLAST_ROLE),
      RoleSessionName: 'tagged',
      Tags: [{ Key: 'a', Value: 'b' }],
    });
    await expect(stsClient(server, credentials).send(tagged)).rejects.toMatchObject({
      name: 'ValidationError',
    });
    await expect(assume(credentials, { RoleSessionName: 'a b' })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });

  it('a session ends with its sign-in', async () => {
    const { sub, credentials } = await newOperator();
    const session = sessionOf(await assume(credentials));
    await server.service.users.signOutUser(sub);
    await expect(whoIs(session)).rejects.toMatchObject({ name: 'ExpiredToken' });
    await expect(whoIs(credentials)).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  it('a session of an application ends with its access key', async () => {
    const policy = {
      Version: '2012-10-17',
      Statement: { Effect: 'Allow', Action: 'sts:*', Resource: '*' },
    };
    await using open = await startIdentityServer({
      settings: {
        limits: 'off',
        roles: {
          Nightly: {
            policies: [policy],
            trust: {
              Version: '2012-10-17',
              Statement: {
                Effect: 'Allow',
                Action: 'sts:AssumeRole',
                Principal: '*',
                Condition: { StringEquals: { 'aws:PrincipalType': 'User' } },
              },
            },
            maxSessionSeconds: 3_600,
          },
        },
      },
    });
    const key = await newAccessKey(open, policy);
    const session = sessionOf(await assume(key, { RoleArn: arnOf('Nightly') }, open));
    await expect(whoIs(session, open)).resolves.toBeDefined();
    await expect(assume(session, { RoleArn: arnOf('Nightly') }, open)).rejects.toMatchObject(
      denied,
    );
    await open.service.accessKeys.revokeAccessKey(key.accessKeyId);
    await expect(whoIs(session, open)).rejects.toMatchObject({ name: 'ExpiredToken' });
  });

  it('each session is recorded with user, role, and address', async () => {
    const { username, sub, credentials } = await newOperator();
    const reply = await assume(credentials, { SourceIdentity: username });
    expect(server.acts.at(-1)).toMatchObject({
      kind: 'roleAssumed',
      actor: { kind: 'person', id: sub, name: username },
      address: expect.stringContaining('127.0.0.1'),
      requestId: reply.$metadata.requestId,
      detail: { role: AIR_BLAST_ROLE, sessionName: 'blast-1', sourceIdentity: username },
    });
    expect(JSON.stringify(server.acts.at(-1))).not.toContain(reply.Credentials?.SecretAccessKey);
  });
});

describe('role sessions of the server itself', () => {
  const origin = { address: '10.0.0.1', requestId: 'request-1' };
  const operate = { action: OPERATE_AIR_BLAST, resource: '*', address: '10.0.0.1' };

  it('assumes a role for a user, allows what the role allows, and ends by time or with the sign-in', async () => {
    await using aging = await start();
    const { roleSessions, users } = aging.service;
    const { username, sub, originJti } = await newOperator({ on: aging });
    const wanted = { sub, originJti, roleName: AIR_BLAST_ROLE, ...origin };
    const first = await roleSessions.assumeForPerson(wanted);
    expect(first).toMatchObject({ sourceIdentity: username, role: { name: AIR_BLAST_ROLE } });
    const { accessKeyId } = first;
    expect(await roleSessions.isAllowed({ ...operate, accessKeyId })).toBe(true);
    const other = { ...operate, accessKeyId, action: 'cognito-idp:AdminDeleteUser' };
    expect(await roleSessions.isAllowed(other)).toBe(false);
    aging.clock.advance(900_000);
    expect(await roleSessions.isAllowed({ ...operate, accessKeyId })).toBe(false);
    const second = await roleSessions.assumeForPerson(wanted);
    await users.disableUser(sub);
    expect(await roleSessions.isAllowed({ ...operate, accessKeyId: second.accessKeyId })).toBe(
      false,
    );
    await expect(roleSessions.assumeForPerson(wanted)).rejects.toMatchObject({
      fault: 'accessDenied',
    });
  });

  it('rejects users without the permission', async () => {
    const { sub, originJti } = await newOperator({ may: [] });
    await expect(
      server.service.roleSessions.assumeForPerson({
        sub,
        originJti,
        roleName: AIR_BLAST_ROLE,
        ...origin,
      }),
    ).rejects.toMatchObject({ fault: 'accessDenied' });
  });

  it('an administrator administers users with a role session', async () => {
    const { credentials } = await newOperator({ groups: ['DevicePortal_Admin'] });
    const input = { RoleArn: arnOf(USER_ADMINISTRATION_ROLE) };
    const admin = signedPoolClient(server, sessionOf(await assume(credentials, input)));
    const { username } = await newOperator();
    await admin.send(new AdminDeleteUserCommand({ UserPoolId, Username: username }));
    expect(server.acts.at(-1)).toMatchObject({
      kind: 'userDeleted',
      actor: { kind: 'person' },
      user: { username },
    });
  });
});
