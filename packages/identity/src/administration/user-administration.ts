import { deleteGuesses, type AccountLock } from '../accounts/account-guess-store.ts';
import { revokeAllWithin } from '../sessions/refresh-token-store.ts';
import {
  deleteUserRow,
  findUserByIdentifier,
  listUserPage,
  type PoolUser,
} from '../accounts/pool-account-store.ts';
import { parseIdentifier } from '../cognito/user-pool/identifier.ts';
import { revocationTimes } from '../cognito/user-pool/revocation-times.ts';
import type { AccountAdministration } from './account-administration.ts';
import { administer, type AdministrationContext } from './administer.ts';
import { serverOrigin, type ActOrigin } from './administration-act.ts';
import { parseInput } from './parse-input.ts';
import {
  newUserSchema,
  userChangeSchema,
  userListSchema,
  type NewUser,
  type UserChange,
  type UserListInput,
} from './user-input.ts';
import { addUser, applyChange, changeUser, requireUser } from './write-user.ts';

export type { PoolUser } from '../accounts/pool-account-store.ts';

/**
 * Administration of the pool's users. It does not check permissions: callers must have checked
 * them, and pass the actor (default: the server). Every change is recorded in its transaction.
 * Invalid input is PortalError 2004 with the fields, an unknown user is `notFound`, and a duplicate
 * name, address, or number is `userAlreadyExists` with the fact `attribute`.
 */
export interface UserAdministration {
  createUser(input: NewUser, origin?: ActOrigin): Promise<PoolUser>;
  /** By username, email address, or phone number, case-insensitively. */
  findUser(identifier: string): Promise<PoolUser | undefined>;
  getUser(sub: string): Promise<PoolUser>;
  listUsers(input?: UserListInput): Promise<PoolUser[]>;
  updateUser(sub: string, change: UserChange, origin?: ActOrigin): Promise<PoolUser>;
  /** Refuses sign-in, refresh and the live channel from now on, and ends every session. */
  disableUser(sub: string, origin?: ActOrigin): Promise<PoolUser>;
  enableUser(sub: string, origin?: ActOrigin): Promise<PoolUser>;
  /** Those of them that too many wrong codes in a row have locked. */
  findLocks(subs: readonly string[]): Promise<ReadonlyMap<string, AccountLock>>;
  /** Resets the count of incorrect codes. An account that is not locked is not changed. */
  unlockUser(sub: string, origin?: ActOrigin): Promise<void>;
  deleteUser(sub: string, origin?: ActOrigin): Promise<void>;
  /** Ends every session of the user: refresh tokens, own operations, credentials. Issued tokens pass offline checks until they end. */
  signOutUser(sub: string, origin?: ActOrigin): Promise<void>;
}

export function createUserAdministration(
  context: AdministrationContext,
  accounts: AccountAdministration,
): UserAdministration {
  const { pool } = context;
  return {
    createUser: async (input, origin) =>
      createUser(context, parseInput(newUserSchema, input), origin),
    findUser: (identifier) => findUserByIdentifier(pool, parseIdentifier(identifier)),
    getUser: (sub) => requireUser(pool, sub),
    async listUsers(input = {}) {
      const { prefix, after, group, limit } = parseInput(userListSchema, input);
      return listUserPage(pool, { prefix, after, group, limit });
    },
    updateUser: async (sub, change, origin) => updateUser(context, { sub, change }, origin),
    disableUser: (sub, origin) => setEnabled(context, { sub, enabled: false }, origin),
    enableUser: (sub, origin) => setEnabled(context, { sub, enabled: true }, origin),
    findLocks: accounts.findLocks,
    unlockUser: accounts.unlock,
    deleteUser: (sub, origin = serverOrigin) =>
      administer(context, origin, async (act) => {
        const user = await requireUser(act.client, sub);
        await revokeAllWithin(act.client, sub, revocationTimes(context));
        await deleteUserRow(act.client, sub);
        await deleteGuesses(act.client, sub);
        await act.write('userDeleted', { user });
      }),
    signOutUser: accounts.signOut,
  };
}

async function createUser(
  context: AdministrationContext,
  input: Parameters<typeof addUser>[1],
  origin: ActOrigin = serverOrigin,
): Promise<PoolUser> {
  return administer(context, origin, async (act) => {
    const user = await addUser(act.client, input, act.now);
    await act.write('userCreated', { user });
    return user;
  });
}

async function updateUser(
  context: AdministrationContext,
  { sub, change }: { readonly sub: string; readonly change: UserChange },
  origin: ActOrigin = serverOrigin,
): Promise<PoolUser> {
  const parsed = parseInput(userChangeSchema, change);
  return administer(context, origin, async (act) => {
    const user = await changeUser(act.client, sub, (before) => ({
      ...applyChange(before, parsed),
      modifiedAt: act.now,
    }));
    // Which attributes, not their values: those are personal, and the trail is kept for years.
    await act.write('userChanged', { user, detail: { attributes: Object.keys(parsed) } });
    return user;
  });
}

async function setEnabled(
  context: AdministrationContext,
  { sub, enabled }: { readonly sub: string; readonly enabled: boolean },
  origin: ActOrigin = serverOrigin,
): Promise<PoolUser> {
  return administer(context, origin, async (act) => {
    const user = await changeUser(act.client, sub, (before) => ({
      ...before,
      enabled,
      modifiedAt: act.now,
    }));
    if (!enabled) await revokeAllWithin(act.client, sub, revocationTimes(context));
    await act.write(enabled ? 'userEnabled' : 'userDisabled', { user });
    return user;
  });
}
