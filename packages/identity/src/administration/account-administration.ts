import type pg from 'pg';
import { deleteLock, findLocks, type AccountLock } from '../accounts/account-guess-store.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { administer, type AdministrationContext } from './administer.ts';
import { serverOrigin, type ActOrigin, type AdministrationAct } from './administration-act.ts';

/** An active session. */
export interface SignInFacts {
  readonly id: string;
  readonly signedInAt: Date;
  readonly endsAt: Date;
}

/** One sign-in of an account. */
export interface SignInName {
  readonly accountId: string;
  readonly signInId: string;
}

/** A group of the user pool, or a role code of the provider in the namespace `default`. */
export interface Membership {
  readonly accountId: string;
  readonly group: string;
}

/** Directory-specific actions on accounts. They run in the transaction of the action. */
export interface DirectoryActs {
  /** As what was done to the account names it. @throws PortalError notFound */
  require(
    client: pg.PoolClient,
    accountId: string,
  ): Promise<NonNullable<AdministrationAct['user']>>;
  /** Newest first. */
  listSignIns(db: Queryable, accountId: string): Promise<readonly SignInFacts[]>;
  /** @throws PortalError notFound when it has ended already, or is another account's */
  endSignIn(client: pg.PoolClient, signIn: SignInName): Promise<void>;
  endAllSignIns(client: pg.PoolClient, accountId: string): Promise<void>;
  listGroups(db: Queryable, accountId: string): Promise<readonly string[]>;
  /** @returns false if the account was already a member */
  addMember(client: pg.PoolClient, member: Membership): Promise<boolean>;
  /** @returns false if the account was not a member */
  removeMember(client: pg.PoolClient, member: Membership): Promise<boolean>;
}

/**
 * Administration of accounts of any directory. It does not check permissions: callers must have
 * checked them, and pass the actor (default: the server). Every change is recorded in its
 * transaction. An unknown account is PortalError `notFound`.
 */
export interface AccountAdministration {
  /** Active sessions, newest first. */
  listSignIns(accountId: string): Promise<readonly SignInFacts[]>;
  /** @throws PortalError notFound when it has ended already, or is another account's */
  endSignIn(signIn: SignInName, origin?: ActOrigin): Promise<void>;
  /** Ends every sign-in. Issued tokens pass offline checks until they end. */
  signOut(accountId: string, origin?: ActOrigin): Promise<void>;
  listGroups(accountId: string): Promise<readonly string[]>;
  /** Adding or removing twice changes nothing. */
  setMember(member: Membership & { readonly isMember: boolean }, origin?: ActOrigin): Promise<void>;
  /** The given accounts that are locked after too many incorrect codes or passwords in a row. */
  findLocks(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountLock>>;
  /**
   * Resets the count of incorrect codes and passwords. An account that is not locked is not
   * changed.
   */
  unlock(accountId: string, origin?: ActOrigin): Promise<void>;
}

export function createAccountAdministration(
  context: Pick<AdministrationContext, 'pool' | 'clock' | 'writeAct'>,
  directory: DirectoryActs,
): AccountAdministration {
  const { pool } = context;
  return {
    listSignIns: (accountId) => directory.listSignIns(pool, accountId),
    endSignIn: (signIn, origin = serverOrigin) =>
      administer(context, origin, async ({ client, write }) => {
        const user = await directory.require(client, signIn.accountId);
        await directory.endSignIn(client, signIn);
        await write('userSignedOut', { user, detail: { session: signIn.signInId } });
      }),
    signOut: (accountId, origin = serverOrigin) =>
      administer(context, origin, async ({ client, write }) => {
        const user = await directory.require(client, accountId);
        await directory.endAllSignIns(client, accountId);
        await write('userSignedOut', { user });
      }),
    listGroups: (accountId) => directory.listGroups(pool, accountId),
    setMember: ({ isMember, ...member }, origin = serverOrigin) =>
      administer(context, origin, async ({ client, write }) => {
        const user = await directory.require(client, member.accountId);
        const change = isMember ? directory.addMember : directory.removeMember;
        if (!(await change(client, member))) return;
        const kind = isMember ? 'groupMemberAdded' : 'groupMemberRemoved';
        await write(kind, { user, detail: { group: member.group } });
      }),
    findLocks: (accountIds) => findLocks(pool, accountIds),
    unlock: (accountId, origin = serverOrigin) =>
      administer(context, origin, async ({ client, write }) => {
        const user = await directory.require(client, accountId);
        const lock = await deleteLock(client, accountId);
        if (lock !== undefined) await write('userUnlocked', { user, detail: { ...lock } });
      }),
  };
}
