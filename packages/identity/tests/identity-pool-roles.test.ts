import { CreateGroupCommand } from '@aws-sdk/client-cognito-identity-provider';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { expect, it } from 'vitest';
import type { IdentitySettings } from '../src/cognito/settings.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import {
  newAccessKey,
  poolCredentials,
  signedPoolClient,
  stsClient,
} from './support/signed-clients.ts';
import { signIn } from './support/wire-clients.ts';

const arnOf = (role: string) => `arn:aws:iam::000000000000:role/deviceportal/${role}`;
const AUTHENTICATED = arnOf('DevicePortal_Authenticated');
const UNAUTHENTICATED = arnOf('DevicePortal_Unauthenticated');

const role = {
  policies: [],
  trust: {
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Action: 'sts:AssumeRoleWithWebIdentity',
      Principal: { Federated: 'cognito-identity.amazonaws.com' },
    },
  },
  maxSessionSeconds: 3_600,
};

type PoolRoles = IdentitySettings['identityPoolRoles'];

function start(pool: Partial<PoolRoles> = {}): Promise<IdentityServer> {
  return startIdentityServer({
    settings: {
      limits: 'off',
      roles: { Support: role, Repair: role },
      identityPoolRoles: {
        authenticated: AUTHENTICATED,
        unauthenticated: UNAUTHENTICATED,
        choice: 'token',
        ambiguous: 'authenticated',
        rules: [],
        ...pool,
      },
    },
  });
}

/** Somebody in groups that carry these roles, by the groups' precedence. */
async function personWith(server: IdentityServer, roles: readonly (readonly [string, number])[]) {
  const username = 'member';
  const email = 'member@corp.example';
  const { sub } = await server.service.users.createUser({ username, email });
  const admin = signedPoolClient(server, await newAccessKey(server));
  for (const [index, [name, Precedence]] of roles.entries()) {
    const GroupName = `group-${index}`;
    await admin.send(
      new CreateGroupCommand({
        UserPoolId: 'us-east-1_DevicePortal',
        GroupName,
        Precedence,
        RoleArn: arnOf(name),
      }),
    );
    await server.service.groups.addUserToGroup(sub, GroupName);
  }
  return (await signIn(server, { username, email })).IdToken;
}

/** The role that the credentials carry, as they themselves say. */
async function roleOf(server: IdentityServer, idToken?: string, customRole?: string) {
  const custom = customRole === undefined ? undefined : arnOf(customRole);
  const credentials = await poolCredentials(server, idToken, custom);
  const { Arn } = await stsClient(server, credentials).send(new GetCallerIdentityCommand({}));
  return Arn?.split('/')[1];
}

const misconfigured = {
  name: 'InvalidIdentityPoolConfigurationException',
  message: 'Invalid identity pool configuration. Check assigned IAM roles for this pool.',
};

it('without groups, signed-in users and guests get their default roles', async () => {
  await using server = await start();
  expect(await roleOf(server, await personWith(server, []))).toBe('DevicePortal_Authenticated');
  expect(await roleOf(server)).toBe('DevicePortal_Unauthenticated');
});

it('the group with the lowest precedence decides; another role of the token can be requested, but no other', async () => {
  await using server = await start();
  const token = await personWith(server, [
    ['Support', 2],
    ['Repair', 1],
  ]);
  expect(await roleOf(server, token)).toBe('Repair');
  expect(await roleOf(server, token, 'Support')).toBe('Support');
  const refused = { name: 'InvalidParameterException' };
  await expect(roleOf(server, token, 'DevicePortal_AirBlast')).rejects.toMatchObject(refused);
  await expect(roleOf(server, undefined, 'Support')).rejects.toMatchObject(refused);
});

it('if two groups have the lowest precedence, the setting of the pool decides', async () => {
  const both = [
    ['Support', 1],
    ['Repair', 1],
  ] as const;
  await using lenient = await start();
  const token = await personWith(lenient, both);
  expect(await roleOf(lenient, token)).toBe('DevicePortal_Authenticated');
  await using strict = await start({ ambiguous: 'deny' });
  await expect(roleOf(strict, await personWith(strict, both))).rejects.toMatchObject({
    name: 'NotAuthorizedException',
  });
});

it('a role that does not trust the pool is not issued, regardless of groups', async () => {
  await using server = await start();
  const token = await personWith(server, [['DevicePortal_AirBlast', 1]]);
  await expect(roleOf(server, token)).rejects.toMatchObject(misconfigured);
});

it('a pool without a role rejects the request and keeps the guest’s identity', async () => {
  await using server = await start({ unauthenticated: null, authenticated: arnOf('Unknown') });
  await expect(roleOf(server)).rejects.toMatchObject(misconfigured);
  const token = await personWith(server, []);
  await expect(roleOf(server, token)).rejects.toMatchObject(misconfigured);
});

it('with rules, the first match decides', async () => {
  await using server = await start({
    choice: 'rules',
    rules: [
      { claim: 'email', matchType: 'StartsWith', value: 'boss', roleArn: arnOf('Repair') },
      { claim: 'email', matchType: 'Contains', value: '@corp.', roleArn: arnOf('Support') },
      { claim: 'email', matchType: 'NotEqual', value: 'x', roleArn: arnOf('Repair') },
    ],
  });
  expect(await roleOf(server, await personWith(server, []))).toBe('Support');
});
