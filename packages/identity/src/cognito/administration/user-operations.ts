import type { Messenger } from '../../messenger.ts';
import { listFilteredUsers } from '../../accounts/pool-account-filter-store.ts';
import {
  adminSetUserPasswordSchema,
  adminUpdateUserAttributesSchema,
  adminCreateUserSchema,
  listUsersInGroupSchema,
  listUsersSchema,
  userSchema,
  type ListUsersInput,
} from '../wire/administration-shapes.ts';
import type { Operation } from '../wire/operation.ts';
import { WireError } from '../wire/wire-error.ts';
import { findGroup } from '../user-pool/group-store.ts';
import { adminCreateUser } from './admin-create-user.ts';
import type { AdministrationContext } from '../../administration/administer.ts';
import { readAttributes, wireAttributes, wireUser, wireUserFacts } from './attribute-codec.ts';
import { findSubject } from './find-subject.ts';
import { cutPage, decodePageToken, pageSizeOf } from './page-token.ts';
import { requirePassword } from './password-policy.ts';
import { signedOperation, type SignedOperationContext } from './signed-operation.ts';
import { inWireWords } from './translate-refusal.ts';
import type { UserAdministration } from '../../administration/user-administration.ts';
import { parseUserFilter } from './user-filter.ts';

export interface UserOperationsContext extends SignedOperationContext, AdministrationContext {
  readonly users: UserAdministration;
  readonly messenger: Messenger;
}

/** The signed operations on users by name (cognito.md, section 3). */
export function userOperations(context: UserOperationsContext): Record<string, Operation> {
  const { users, pool } = context;
  const signed: typeof signedOperation = (_context, name, wanted) =>
    signedOperation(context, name, wanted);
  const onUser = (name: string, act: (sub: string, ...rest: OriginOnly) => Promise<unknown>) =>
    signed(context, name, {
      schema: userSchema,
      run: async ({ Username }, origin) => {
        const { sub } = await findSubject(pool, Username);
        await inWireWords(act(sub, origin));
        return name === 'AdminDeleteUser' ? undefined : {};
      },
    });
  return {
    AdminCreateUser: signed(context, 'AdminCreateUser', {
      schema: adminCreateUserSchema,
      run: (input, origin) => adminCreateUser(context, input, origin),
    }),
    AdminGetUser: signed(context, 'AdminGetUser', {
      schema: userSchema,
      async run({ Username }) {
        const user = await findSubject(pool, Username);
        return { ...wireUserFacts(user), UserAttributes: wireAttributes(user) };
      },
    }),
    ListUsers: signed(context, 'ListUsers', {
      schema: listUsersSchema,
      run: (input) => listUsers(context, input),
    }),
    ListUsersInGroup: signed(context, 'ListUsersInGroup', {
      schema: listUsersInGroupSchema,
      run: (input) => listUsersInGroup(context, input),
    }),
    AdminUpdateUserAttributes: signed(context, 'AdminUpdateUserAttributes', {
      schema: adminUpdateUserAttributesSchema,
      async run({ Username, UserAttributes }, origin) {
        const { sub } = await findSubject(pool, Username);
        const change = readAttributes(UserAttributes);
        await inWireWords(users.updateUser(sub, change, origin), {
          aliasTaken: 'AliasExistsException',
        });
        return {};
      },
    }),
    AdminSetUserPassword: signed(context, 'AdminSetUserPassword', {
      schema: adminSetUserPasswordSchema,
      async run({ Username, Password, Permanent }, origin) {
        const { sub } = await findSubject(pool, Username);
        requirePassword(Password);
        const status = Permanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
        await inWireWords(users.updateUser(sub, { status }, origin));
        return {};
      },
    }),
    AdminUserGlobalSignOut: onUser('AdminUserGlobalSignOut', users.signOutUser),
    AdminDisableUser: onUser('AdminDisableUser', users.disableUser),
    AdminEnableUser: onUser('AdminEnableUser', users.enableUser),
    AdminDeleteUser: onUser('AdminDeleteUser', users.deleteUser),
  };
}

type OriginOnly = [Parameters<UserAdministration['signOutUser']>[1]];

async function listUsers({ pool }: UserOperationsContext, input: ListUsersInput) {
  const limit = pageSizeOf(input.Limit);
  const found = await listFilteredUsers(pool, {
    filter: parseUserFilter(input.Filter),
    group: undefined,
    after: decodePageToken(input.PaginationToken),
    limit: limit + 1,
  });
  const { rows, next } = cutPage(found, limit, (user) => user.username);
  return {
    Users: rows.map((user) => wireUser(user, input.AttributesToGet)),
    ...(next !== undefined && { PaginationToken: next }),
  };
}

async function listUsersInGroup(
  { pool }: UserOperationsContext,
  input: {
    readonly GroupName: string;
    readonly Limit?: number | undefined;
    readonly NextToken?: string | undefined;
  },
) {
  if ((await findGroup(pool, input.GroupName)) === undefined) {
    throw new WireError('ResourceNotFoundException', 'Group not found.');
  }
  const limit = pageSizeOf(input.Limit);
  const found = await listFilteredUsers(pool, {
    filter: undefined,
    group: input.GroupName,
    after: decodePageToken(input.NextToken),
    limit: limit + 1,
  });
  const { rows, next } = cutPage(found, limit, (user) => user.username);
  return {
    Users: rows.map((user) => wireUser(user)),
    ...(next !== undefined && { NextToken: next }),
  };
}
