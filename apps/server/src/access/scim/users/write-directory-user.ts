import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../../platform/database/database.ts';
import { applyUserStatus } from '../../users/change-user-status.ts';
import type { DirectoryProfile } from '../../users/user-directory.ts';
import { upsertUser } from '../../data/user-queries.ts';
import {
  isExternalIdTaken,
  storeScimUser,
  type DirectoryUser,
} from '../../data/scim/scim-user-queries.ts';
import type { StoredProfile } from '../../data/scim-tables.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { ScimError, invalid } from '../protocol/scim-error.ts';
import { writableAttributes, type ScimUserInput } from '../protocol/user-attributes.ts';
import { recordScim } from '../record-scim.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { directoryProfile } from './directory-profile.ts';
import { notifyLeaver } from './notify-leaver.ts';
import { requireOnlyAssignedRoles } from './require-only-assigned-roles.ts';

export interface DirectoryWrite {
  readonly caller: DirectoryCaller;
  readonly before: DirectoryUser;
  readonly input: ScimUserInput;
}

/** What is left to do after the commit. */
export interface WriteOutcome {
  readonly hasLeft: boolean;
}

/**
 * Stores what a directory says about an existing user, and suspends or restores the user. Only changed attributes are
 * written to the user pool.
 * @throws ScimError 400 mutability for a new username, 403 for a new address of a user with roles that the connection
 * does not assign, 409 for an ID of another user or for a user that an administrator suspended; PortalError for what
 * the pool or the rules of access reject
 */
export async function writeDirectoryUser(
  tx: Transaction,
  deps: ScimDeps,
  { caller, before, input }: DirectoryWrite,
): Promise<WriteOutcome> {
  if (input.userName.toLowerCase() !== before.username.toLowerCase()) {
    throw invalid('The username is permanent. Delete the user and create another.', 'mutability');
  }
  const externalId = input.externalId ?? null;
  const attributes = changedAttributes(before, input);
  if (externalId !== null && externalId !== before.stored?.externalId) {
    const taken = { externalId, connectionId: caller.connection.id, userId: before.id };
    if (await isExternalIdTaken(tx, taken)) {
      throw new ScimError(409, 'Another user has this externalId.', 'uniqueness');
    }
  }
  await changeInPool(tx, deps, { caller, before, input });
  const isEnded = await changeActive(tx, deps, { caller, before, input });
  await storeScimUser(tx, {
    userId: before.id,
    connectionId: caller.connection.id,
    externalId,
    profile: profileOf(input),
    isEnded,
    isDeleted: false,
  });
  if (attributes.length > 0) {
    // Which attributes, not their values: those are personal, and the trail is kept for years.
    await recordScim(tx, caller, 'access.directory-user-changed', {
      ...{ userId: before.id, username: before.username, attributes },
    });
  }
  return { hasLeft: input.active === false && before.status === 'Activated' };
}

/** Attributes besides `active` that differ. */
function changedAttributes(before: DirectoryUser, input: ScimUserInput): string[] {
  const had = writableAttributes(before);
  const has: Readonly<Record<string, unknown>> = {
    externalId: input.externalId,
    ...profileOf(input),
  };
  return ['externalId', 'name', 'displayName', 'emails', 'phoneNumbers'].filter(
    (name) => JSON.stringify(had[name] ?? null) !== JSON.stringify(has[name] ?? null),
  );
}

export function profileOf({
  name,
  displayName,
  emails,
  phoneNumbers,
}: ScimUserInput): StoredProfile {
  return {
    ...(name !== undefined && Object.keys(name).length > 0 && { name }),
    ...(displayName !== undefined && { displayName }),
    ...(emails !== undefined && emails.length > 0 && { emails }),
    ...(phoneNumbers !== undefined && phoneNumbers.length > 0 && { phoneNumbers }),
  };
}

async function changeInPool(
  tx: Transaction,
  { directory }: Pick<ScimDeps, 'directory'>,
  { caller, before, input }: DirectoryWrite,
): Promise<void> {
  const pool = directory.administration;
  if (pool === undefined) return;
  const wanted = directoryProfile(input);
  const name = wanted.name ?? before.username;
  if (
    wanted.email === before.email &&
    wanted.phoneNumber === before.phone &&
    name === before.name
  ) {
    return;
  }
  if (hasNewAddress(before, wanted)) {
    await requireOnlyAssignedRoles(tx, pool, { caller, user: before });
  }
  const facts = await pool.changeProfile(before.subject, wanted, caller);
  await upsertUser(tx, before.id, facts);
}

const hasNewAddress = (
  { email, phone }: DirectoryUser,
  wanted: Pick<DirectoryProfile, 'email' | 'phoneNumber'>,
): boolean =>
  (wanted.email !== null && wanted.email !== email) ||
  (wanted.phoneNumber !== null && wanted.phoneNumber !== phone);

/** @returns whether a directory has ended the access */
async function changeActive(
  tx: Transaction,
  deps: ScimDeps,
  { caller, before, input: { active = true } }: DirectoryWrite,
): Promise<boolean> {
  const isEnded = before.stored?.isEnded === true;
  const change = { id: before.id, reason: caller.connection.name };
  if (active === (before.status === 'Activated')) return !active && isEnded;
  if (!active) {
    await notifyLeaver(tx, deps, { caller, user: before });
    await applyUserStatus(tx, deps, caller, { ...change, act: 'suspend', stopQueued: true });
    return true;
  }
  if (!isEnded) throw refuse('user-status-refuses', { facts: { status: before.status } });
  await applyUserStatus(tx, deps, caller, { ...change, act: 'restore', stopQueued: false });
  return false;
}
