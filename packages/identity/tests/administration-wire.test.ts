import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  AdminUserGlobalSignOutCommand,
  CreateGroupCommand,
  ListGroupsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  paginateListUsers,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityServer, type IdentityServer } from './support/identity-server.ts';
import { newAccessKey, poolCredentials, signedPoolClient } from './support/signed-clients.ts';
import { signIn } from './support/wire-clients.ts';

const UserPoolId = 'us-east-1_DevicePortal';

let server: IdentityServer;
let client: CognitoIdentityProviderClient;

beforeAll(async () => {
  server = await startIdentityServer({ settings: { limits: 'off' } });
  client = signedPoolClient(server, await newAccessKey(server));
});
afterAll(() => server[Symbol.asyncDispose]());

let people = 0;
async function newPerson(attributes: Record<string, string> = {}) {
  people += 1;
  const Username = `person-${people}`;
  const email = `${Username}@corp.example`;
  const UserAttributes = Object.entries({ email, email_verified: 'true', ...attributes }).map(
    ([Name, Value]) => ({ Name, Value }),
  );
  const reply = await client.send(
    new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: 'SUPPRESS' }),
  );
  return { Username, email, user: reply.User };
}

const refusal = (name: string, message?: string | RegExp) => ({
  name,
  $metadata: expect.objectContaining({ httpStatusCode: 400 }),
  ...(message !== undefined && {
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  }),
});

describe('users over the wire', () => {
  it('creates a user who can sign in immediately, and returns all attributes', async () => {
    const { Username, email, user } = await newPerson({ given_name: 'Ann', 'custom:desk': '12' });
    expect(user).toMatchObject({ Username, Enabled: true, UserStatus: 'CONFIRMED' });
    expect(user?.UserCreateDate?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    const found = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
    expect(found).toMatchObject({ Username, UserStatus: 'CONFIRMED' });
    const attributes = new Map(found.UserAttributes?.map(({ Name, Value }) => [Name, Value]));
    expect(attributes.get('email_verified')).toBe('true');
    expect(attributes.get('given_name')).toBe('Ann');
    expect(attributes.get('custom:desk')).toBe('12');
    const bySub = new AdminGetUserCommand({ UserPoolId, Username: attributes.get('sub') });
    expect(await client.send(bySub)).toMatchObject({ Username });
    await expect(signIn(server, { username: Username, email })).resolves.toBeDefined();
  });

  it('rejects taken names and addresses, and unknown attributes', async () => {
    const { Username, email } = await newPerson();
    const create = (name: string, UserAttributes: { Name: string; Value: string }[]) =>
      client.send(new AdminCreateUserCommand({ UserPoolId, Username: name, UserAttributes }));
    await expect(create(Username.toUpperCase(), [])).rejects.toMatchObject(
      refusal('UsernameExistsException', 'User account already exists'),
    );
    await expect(create('other', [{ Name: 'email', Value: email }])).rejects.toMatchObject(
      refusal('UsernameExistsException', 'An account with the given email already exists.'),
    );
    for (const [Name, Value] of [
      ['email', 'nowhere'],
      ['phone_number', '12'],
      ['sub', 'x'],
      ['shoe_size', '44'],
    ] as const) {
      await expect(create('other', [{ Name, Value }])).rejects.toMatchObject(
        refusal('InvalidParameterException'),
      );
    }
  });

  it('notifies the new user, unless the message is suppressed', async () => {
    const email = 'invited@corp.example';
    const create = new AdminCreateUserCommand({
      UserPoolId,
      Username: 'invited',
      TemporaryPassword: 'Long-enough-1',
      UserAttributes: [{ Name: 'email', Value: email }],
    });
    expect((await client.send(create)).User?.UserStatus).toBe('FORCE_CHANGE_PASSWORD');
    const resend = { UserPoolId, Username: 'invited', MessageAction: 'RESEND' } as const;
    await client.send(new AdminCreateUserCommand(resend));
    const sent = server.messages.filter(({ to }) => to === email);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({ kind: 'welcome', username: 'invited' });
    await client.send(
      new AdminSetUserPasswordCommand({ ...resend, Password: 'Long-enough-2', Permanent: true }),
    );
    await expect(client.send(new AdminCreateUserCommand(resend))).rejects.toMatchObject(
      refusal('UnsupportedUserStateException'),
    );
    await expect(
      client.send(new AdminSetUserPasswordCommand({ ...resend, Password: 'short' })),
    ).rejects.toMatchObject(refusal('InvalidPasswordException'));
  });

  it('finds users by one attribute, page by page, to the last one', async () => {
    await Promise.all(
      ['ada', 'adam', 'bea', 'ada"x'].map((name, index) =>
        newPerson({ family_name: 'Filter', name, phone_number: `+4812345670${index}` }),
      ),
    );
    const find = async (Filter: string) => {
      const reply = await client.send(new ListUsersCommand({ UserPoolId, Filter }));
      return reply.Users?.flatMap((user) =>
        (user.Attributes ?? []).filter(({ Name }) => Name === 'name').map(({ Value }) => Value),
      ).toSorted();
    };
    expect(await find('family_name = "filter"')).toEqual(['ada', 'ada"x', 'adam', 'bea']);
    expect(await find('name ^= "ada"')).toEqual(['ada', 'ada"x', 'adam']);
    expect(await find('name = "ada\\"x"')).toEqual(['ada"x']);
    expect(await find('phone_number = "+48123456702"')).toEqual(['bea']);
    expect(await find('family_name = "Filter%"')).toEqual([]);
    const pages = paginateListUsers(
      { client, pageSize: 2 },
      { UserPoolId, Filter: 'family_name = "Filter"', AttributesToGet: ['name'] },
    );
    const sizes: number[] = [];
    const seen = new Set<string | undefined>();
    for await (const page of pages) {
      sizes.push(page.Users?.length ?? 0);
      for (const user of page.Users ?? []) {
        seen.add(user.Username);
        expect(user.Attributes?.map(({ Name }) => Name)).toEqual(['name']);
      }
    }
    expect([sizes, seen.size]).toEqual([[2, 2], 4]);
  });

  it.each(['name == "x"', 'shoe_size = "44"', 'name = "x" or 1=1', "name = 'x'"])(
    '[wire-admin-5] rejects the filter %s',
    async (Filter) => {
      await expect(client.send(new ListUsersCommand({ UserPoolId, Filter }))).rejects.toMatchObject(
        refusal('InvalidParameterException'),
      );
    },
  );

  it('filters by state, and rejects a malformed page token', async () => {
    const { Username } = await newPerson();
    await client.send(new AdminDisableUserCommand({ UserPoolId, Username }));
    const filtered = new ListUsersCommand({ UserPoolId, Filter: 'status = "Disabled"' });
    const { Users } = await client.send(filtered);
    expect(Users?.map((user) => [user.Username, user.Enabled])).toContainEqual([Username, false]);
    expect(Users?.every((user) => user.Enabled === false)).toBe(true);
    await expect(
      client.send(new ListUsersCommand({ UserPoolId, PaginationToken: 'x' })),
    ).rejects.toMatchObject(refusal('InvalidParameterException'));
  });

  it('disabling and signing out end every session immediately; enabling allows sign-in again', async () => {
    const person = await newPerson();
    const account = { username: person.Username, email: person.email };
    const user = { UserPoolId, Username: person.Username };
    const { IdToken } = await signIn(server, account);
    const credentials = await poolCredentials(server, IdToken);
    await client.send(new AdminUserGlobalSignOutCommand(user));
    await expect(poolCredentials(server, IdToken)).rejects.toMatchObject(
      refusal('NotAuthorizedException'),
    );
    await expect(
      signedPoolClient(server, credentials).send(new AdminGetUserCommand(user)),
    ).rejects.toMatchObject(refusal('ExpiredTokenException'));
    await client.send(new AdminDisableUserCommand(user));
    await expect(signIn(server, account)).rejects.toMatchObject({ message: 'User is disabled.' });
    await client.send(new AdminEnableUserCommand(user));
    await expect(signIn(server, account)).resolves.toBeDefined();
  });

  it('changes attributes; an empty value removes one, and a taken one is rejected', async () => {
    const [one, other] = [await newPerson({ nickname: 'Bo' }), await newPerson()];
    const change = (Name: string, Value: string) =>
      client.send(
        new AdminUpdateUserAttributesCommand({
          UserPoolId,
          Username: one.Username,
          UserAttributes: [{ Name, Value }],
        }),
      );
    await change('nickname', '');
    await change('name', 'Bo Bond');
    const found = await client.send(
      new AdminGetUserCommand({ UserPoolId, Username: one.Username }),
    );
    const names = found.UserAttributes?.map(({ Name }) => Name);
    expect(names).toContain('name');
    expect(names).not.toContain('nickname');
    await expect(change('email', other.email)).rejects.toMatchObject(
      refusal('AliasExistsException', 'An account with the given email already exists.'),
    );
  });

  it('a deleted or unknown user does not exist for any operation', async () => {
    const { Username } = await newPerson();
    await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
    const user = { UserPoolId, Username };
    const group = { ...user, GroupName: 'DevicePortal_Admin' };
    const sends = [
      () => client.send(new AdminGetUserCommand(user)),
      () => client.send(new AdminDeleteUserCommand(user)),
      () => client.send(new AdminDisableUserCommand(user)),
      () => client.send(new AdminEnableUserCommand(user)),
      () => client.send(new AdminUserGlobalSignOutCommand(user)),
      () => client.send(new AdminListGroupsForUserCommand(user)),
      () => client.send(new AdminAddUserToGroupCommand(group)),
      () => client.send(new AdminRemoveUserFromGroupCommand(group)),
    ];
    for (const send of sends) {
      await expect(send()).rejects.toMatchObject(
        refusal('UserNotFoundException', 'User does not exist.'),
      );
    }
  });
});

describe('groups over the wire', () => {
  it('creates groups, and adds and removes members', async () => {
    const { Username } = await newPerson();
    const GroupName = 'Field support';
    await expect(
      client.send(new CreateGroupCommand({ UserPoolId, GroupName })),
    ).rejects.toMatchObject(refusal('InvalidParameterException'));
    const group = { UserPoolId, GroupName: 'Field-support', Precedence: 3, Description: 'Outside' };
    const made = await client.send(new CreateGroupCommand(group));
    expect(made.Group).toMatchObject(group);
    expect(made.Group?.CreationDate).toBeInstanceOf(Date);
    await expect(client.send(new CreateGroupCommand(group))).rejects.toMatchObject(
      refusal('GroupExistsException', 'A group with the name already exists.'),
    );
    const member = { UserPoolId, Username, GroupName: group.GroupName };
    await client.send(new AdminAddUserToGroupCommand(member));
    const list = new AdminListGroupsForUserCommand({ UserPoolId, Username });
    expect((await client.send(list)).Groups?.map((found) => found.GroupName)).toEqual([
      group.GroupName,
    ]);
    const members = await client.send(new ListUsersInGroupCommand(group));
    expect(members.Users?.map((user) => user.Username)).toEqual([Username]);
    await client.send(new AdminRemoveUserFromGroupCommand(member));
    expect((await client.send(list)).Groups).toEqual([]);
    await expect(
      client.send(new AdminAddUserToGroupCommand({ ...member, GroupName: 'Nobody' })),
    ).rejects.toMatchObject(refusal('ResourceNotFoundException', 'Group not found.'));
  });

  it('lists groups page by page', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) {
      await client.send(new CreateGroupCommand({ UserPoolId, GroupName: name }));
    }
    const names: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await client.send(new ListGroupsCommand({ UserPoolId, Limit: 2, NextToken }));
      expect(page.Groups?.length).toBeLessThanOrEqual(2);
      names.push(...(page.Groups ?? []).map((group) => group.GroupName));
      ({ NextToken } = page);
    } while (NextToken !== undefined);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['DevicePortal_Admin', 'page-a', 'page-c']));
  });
});
