import type { PortalError } from '@deviceportal/contract/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateIdentity } from '../src/migrate-identity.ts';
import { createTestDatabase } from '../../../apps/server/tests/support/database/create-test-database.ts';
import { createIdentityService } from '../src/cognito/identity-service.ts';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { anna } from './support/wire-clients.ts';

let server: IdentityServer;
beforeAll(async () => {
  server = await startIdentityServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('administration', () => {
  it('username, email address, and phone number are unique and case-insensitive', async () => {
    const { users } = server.service;
    await users.createUser(anna);
    const other = { username: 'other', email: 'other@corp.example' };
    await expect(users.createUser({ ...other, username: 'ANNA' })).rejects.toMatchObject({
      errorName: 'userAlreadyExists',
      facts: { attribute: 'username' },
    });
    await expect(users.createUser({ ...other, email: 'Anna@Corp.example' })).rejects.toMatchObject({
      facts: { attribute: 'email' },
    });
    await expect(
      users.createUser({ ...other, phoneNumber: '+48 123 456 789' }),
    ).rejects.toMatchObject({ facts: { attribute: 'phoneNumber' } });
  });

  it('a username cannot be the address of another user', async () => {
    const { users } = server.service;
    await users.createUser({ username: 'carol', email: 'carol@corp.example' });
    await expect(users.createUser({ username: 'Carol@corp.example' })).rejects.toMatchObject({
      errorName: 'userAlreadyExists',
    });
    const own = { username: 'dave@corp.example', email: 'dave@corp.example' };
    await expect(users.createUser(own)).resolves.toBeDefined();
  });

  it('concurrent changes of a user do not undo each other', async () => {
    const { users } = server.service;
    const { sub } = await users.createUser({ username: 'busy' });
    await Promise.all([
      users.disableUser(sub),
      ...['a', 'b', 'c', 'd'].map((key) =>
        users.updateUser(sub, { customAttributes: { [key]: 'x' } }),
      ),
    ]);
    expect(await users.getUser(sub)).toMatchObject({
      enabled: false,
      customAttributes: { a: 'x', b: 'x', c: 'x', d: 'x' },
    });
  });

  it('invalid input names its fields', async () => {
    const refusal = await server.service.users
      .createUser({ username: 'a b', email: 'nowhere', phoneNumber: '12' })
      .catch((error: unknown) => error as PortalError);
    expect(refusal).toMatchObject({ code: 2004 });
    expect((refusal as PortalError).issues.map((issue) => issue.path.join('.'))).toEqual([
      'username',
      'email',
      'phoneNumber',
    ]);
  });

  it('a changed address is unverified until an administrator confirms it', async () => {
    const { users } = server.service;
    const { sub } = await users.createUser({ username: 'moving', email: 'old@corp.example' });
    const changed = await users.updateUser(sub, { email: 'new@corp.example' });
    expect(changed).toMatchObject({ email: 'new@corp.example', emailVerified: false });
    expect(await users.updateUser(sub, { emailVerified: true })).toMatchObject({
      emailVerified: true,
    });
    expect(await users.findUser('NEW@corp.example')).toMatchObject({ sub });
    expect(await users.findUser('old@corp.example')).toBeUndefined();
  });

  it('lists page by page, by prefix and by group', async () => {
    const { users, groups } = server.service;
    await groups.ensureGroup({ name: 'Pagers', description: 'For this test' });
    for (const username of ['page-c', 'page-a', 'page-b']) {
      const { sub } = await users.createUser({ username });
      if (username !== 'page-b') await groups.addUserToGroup(sub, 'Pagers');
    }
    const first = await users.listUsers({ prefix: 'PAGE-', limit: 2 });
    expect(first.map((user) => user.username)).toEqual(['page-a', 'page-b']);
    const rest = await users.listUsers({ prefix: 'page-', after: 'page-b' });
    expect(rest.map((user) => user.username)).toEqual(['page-c']);
    const members = await users.listUsers({ group: 'Pagers' });
    expect(members.map((user) => user.username)).toEqual(['page-a', 'page-c']);
  });

  it('repeated group changes succeed; unknown users and groups are not found', async () => {
    const { users, groups } = server.service;
    const { sub } = await users.createUser({ username: 'member' });
    await groups.addUserToGroup(sub, 'DevicePortal_Admin');
    await groups.addUserToGroup(sub, 'DevicePortal_Admin');
    expect(await groups.listGroupsOfUser(sub)).toEqual(['DevicePortal_Admin']);
    await groups.removeUserFromGroup(sub, 'DevicePortal_Admin');
    await groups.removeUserFromGroup(sub, 'DevicePortal_Admin');
    expect(await groups.listGroupsOfUser(sub)).toEqual([]);
    await expect(groups.addUserToGroup(sub, 'Nobody')).rejects.toMatchObject({
      errorName: 'notFound',
    });
    await expect(users.getUser('no-uuid')).rejects.toMatchObject({ errorName: 'notFound' });
  });

  it('a deleted user does not exist, and the name is free again', async () => {
    const { users } = server.service;
    const { sub } = await users.createUser({ username: 'leaving' });
    await users.deleteUser(sub);
    await expect(users.getUser(sub)).rejects.toMatchObject({ errorName: 'notFound' });
    await expect(users.createUser({ username: 'leaving' })).resolves.toBeDefined();
  });
});

describe('first start', () => {
  it('several servers that start at the same time on an empty database share one set of tables and keys', async () => {
    await using test = await createTestDatabase({ empty: true });
    const { pool } = test.database;
    const start = async () => {
      await migrateIdentity(pool);
      return createIdentityService({
        pool,
        sealingKey: server.sealingKey,
        messenger: { send: async () => {} },
        settings: { issuer: 'http://localhost:8080/identity/us-east-1_DevicePortal' },
      });
    };
    const [first, second, third] = await Promise.all([start(), start(), start()]);
    expect((await first.keySet()).keys).toHaveLength(2);
    expect(await second.keySet()).toEqual(await first.keySet());
    expect(await third.keySet()).toEqual(await first.keySet());
  });

  it('an invalid setting stops the start and is named', async () => {
    const settings = { issuer: 'http://localhost/identity/x', sessionDurationMinutes: 0 };
    await expect(
      createIdentityService({
        pool: server.pool,
        sealingKey: server.sealingKey,
        messenger: { send: async () => {} },
        settings,
      }),
    ).rejects.toThrow(/sessionDurationMinutes/);
  });
});
