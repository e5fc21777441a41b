import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessKeyPolicies } from '../src/access-keys/access-key-policies.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { newAccessKey, poolCredentials, signedPoolClient } from './support/signed-clients.ts';
import { signIn } from './support/wire-clients.ts';

const UserPoolId = 'us-east-1_DevicePortal';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
});
afterAll(() => server[Symbol.asyncDispose]());

let people = 0;
async function newPerson() {
  people += 1;
  const Username = `person-${people}`;
  const email = `${Username}@corp.example`;
  await server.service.users.createUser({ username: Username, email });
  return { Username, email };
}

const refusal = (name: string, message?: string | RegExp) => ({
  name,
  $metadata: expect.objectContaining({ httpStatusCode: 400 }),
  ...(message !== undefined && {
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  }),
});

describe('access to administration', () => {
  const list = new ListUsersCommand({ UserPoolId });

  it('is rejected without a signature, with an unknown key, or with another secret', async () => {
    const unsigned = await fetch(server.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUsers' },
      body: JSON.stringify({ UserPoolId }),
    });
    expect(unsigned.status).toBe(400);
    expect(await unsigned.json()).toEqual({
      __type: 'MissingAuthenticationTokenException',
      message: 'Missing Authentication Token',
    });
    const key = await newAccessKey(server);
    const wrong = { ...key, secretAccessKey: `${key.secretAccessKey}x` };
    await expect(signedPoolClient(server, wrong).send(list)).rejects.toMatchObject(
      refusal('InvalidSignatureException'),
    );
    const unknown = { ...key, accessKeyId: 'AKIAAAAAAAAAAAAAAAAA' };
    await expect(signedPoolClient(server, unknown).send(list)).rejects.toMatchObject(
      refusal('UnrecognizedClientException'),
    );
  });

  it('[access-key-2] a revoked key stops working, its name is free again, and the record shows both', async () => {
    const { accessKeys } = server.service;
    const policy = accessKeyPolicies['read-users'];
    const key = await accessKeys.createAccessKey({ name: 'nightly', policy });
    await expect(accessKeys.createAccessKey({ name: 'nightly', policy })).rejects.toMatchObject({
      errorName: 'userAlreadyExists',
    });
    await expect(signedPoolClient(server, key).send(list)).resolves.toBeDefined();
    await accessKeys.revokeAccessKey(key.accessKeyId);
    await expect(signedPoolClient(server, key).send(list)).rejects.toMatchObject(
      refusal('UnrecognizedClientException'),
    );
    await expect(accessKeys.revokeAccessKey(key.accessKeyId)).rejects.toMatchObject({
      errorName: 'notFound',
    });
    await accessKeys.createAccessKey({ name: 'nightly', policy });
    const listed = await accessKeys.listAccessKeys();
    expect(listed.filter(({ name }) => name === 'nightly')).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain(key.secretAccessKey);
    const { rows } = await server.pool.query(
      'select secret_box::text as box from identity.access_key',
    );
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(key.secretAccessKey).toString('hex'));
  });

  it('a key can do what its policy allows, and gets errors in the words of AWS otherwise', async () => {
    const reader = signedPoolClient(
      server,
      await newAccessKey(server, accessKeyPolicies['read-users']),
    );
    await expect(reader.send(list)).resolves.toBeDefined();
    const { Username } = await newPerson();
    await expect(
      reader.send(new AdminDeleteUserCommand({ UserPoolId, Username })),
    ).rejects.toMatchObject(
      refusal(
        'AccessDeniedException',
        /^User: arn:aws:iam::000000000000:user\/deviceportal\/key-\d+ is not authorized to perform: cognito-idp:AdminDeleteUser on resource: arn:aws:cognito-idp:us-east-1:000000000000:userpool\/us-east-1_DevicePortal because no identity-based policy allows the cognito-idp:AdminDeleteUser action$/,
      ),
    );
    const narrow = {
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: '*', Resource: '*' },
        {
          Effect: 'Deny',
          Action: '*',
          Resource: '*',
          Condition: { IpAddress: { 'aws:SourceIp': '127.0.0.0/8' } },
        },
      ],
    };
    await expect(
      signedPoolClient(server, await newAccessKey(server, narrow)).send(list),
    ).rejects.toMatchObject(refusal('AccessDeniedException', /explicit deny/));
  });

  it('another pool is not found', async () => {
    const client = signedPoolClient(server, await newAccessKey(server));
    await expect(
      client.send(new ListUsersCommand({ UserPoolId: 'us-east-1_Other' })),
    ).rejects.toMatchObject(
      refusal('ResourceNotFoundException', 'User pool us-east-1_Other does not exist.'),
    );
  });

  it('a client with a wrong clock corrects it from the error and succeeds', async () => {
    await using ahead = await startIdentityServer({ settings: { limits: 'off' } });
    ahead.clock.advance(20 * 60_000);
    const key = await newAccessKey(ahead);
    const off = { systemClockOffset: 0 };
    await expect(signedPoolClient(ahead, key, off).send(list)).rejects.toMatchObject(
      refusal('InvalidSignatureException', /^Signature expired: \d{8}T\d{6}Z is now earlier/),
    );
    await expect(
      signedPoolClient(ahead, key, { ...off, maxAttempts: 2 }).send(list),
    ).resolves.toBeDefined();
  });

  it('guests and users without a suitable role are rejected', async () => {
    const { Username, email } = await newPerson();
    const { IdToken } = await signIn(server, { username: Username, email });
    for (const token of [undefined, IdToken]) {
      const credentials = await poolCredentials(server, token);
      await expect(signedPoolClient(server, credentials).send(list)).rejects.toMatchObject(
        refusal('AccessDeniedException'),
      );
    }
  });

  it('too many calls, or too many invalid signatures, from one address are delayed', async () => {
    await using limited = await startIdentityServer();
    const key = await newAccessKey(limited);
    const wrong = signedPoolClient(limited, { ...key, secretAccessKey: 'x' });
    const names: string[] = [];
    for (let turn = 0; turn < 101; turn += 1) {
      names.push(await wrong.send(list).then(String, (error: Error) => error.name));
    }
    expect(new Set(names.slice(0, 100))).toEqual(new Set(['InvalidSignatureException']));
    expect(names[100]).toBe('TooManyRequestsException');
    await expect(signedPoolClient(limited, key).send(list)).resolves.toBeDefined();
    await limited.pool.query('update identity.rate_limit set hits = 100000');
    await expect(signedPoolClient(limited, key).send(list)).rejects.toMatchObject({
      name: 'TooManyRequestsException',
    });
  });
});

describe('the audit record of administration', () => {
  it('[record-1] every operation records actor, subject, address, and request', async () => {
    const key = await newAccessKey(server);
    const own = signedPoolClient(server, key);
    const before = server.acts.length;
    const user = { UserPoolId, Username: 'recorded' };
    const created = await own.send(
      new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }),
    );
    const member = { ...user, GroupName: 'DevicePortal_Admin' };
    await own.send(new AdminAddUserToGroupCommand(member));
    await own.send(new AdminAddUserToGroupCommand(member));
    await own.send(new AdminDisableUserCommand(user));
    await own.send(new AdminDeleteUserCommand(user));
    const acts = server.acts.slice(before);
    // Twice the same membership is one act.
    expect(acts.map((act) => act.kind)).toEqual([
      'userCreated',
      'groupMemberAdded',
      'userDisabled',
      'userDeleted',
    ]);
    expect(acts[0]).toMatchObject({
      actor: { kind: 'accessKey', id: key.accessKeyId, name: key.name },
      address: expect.stringContaining('127.0.0.1'),
      requestId: created.$metadata.requestId,
      user: { username: 'recorded' },
    });
    expect(acts[1]?.detail).toEqual({ group: 'DevicePortal_Admin' });
  });

  it('an operation that cannot be recorded is not executed', async () => {
    await using strict = await startIdentityServer({
      settings: { limits: 'off' },
      writeAct: async (_client, act) => {
        if (act.kind === 'userCreated') throw new Error('the record is full');
      },
    });
    const admin = signedPoolClient(strict, await newAccessKey(strict));
    const user = { UserPoolId, Username: 'unrecorded' };
    await expect(admin.send(new AdminCreateUserCommand(user))).rejects.toMatchObject({
      name: 'InternalErrorException',
    });
    await expect(admin.send(new AdminGetUserCommand(user))).rejects.toMatchObject(
      refusal('UserNotFoundException'),
    );
    expect(strict.messages).toEqual([]);
  });
});
