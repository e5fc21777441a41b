import { PortalError, type FieldIssue } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import type { inviteUserInput, UserRow } from '@deviceportal/contract/access';
import { refuse } from '@deviceportal/contract/refuse';
import type { z } from 'zod';
import { eventsOfToday } from '../../audit-trail/data/events-of-today.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps } from '../access-deps.ts';
import { requireRoles } from './change-user-roles.ts';
import { loadGranter, requirePermanentManager, requireCanAssign } from '../roles/granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { getUser } from './list-users.ts';
import { updateAdminGroup } from './update-admin-group.ts';
import { parseInvitation } from './parse-invitation.ts';
import { sendInvitation } from './send-invitation.ts';
import type { InvitedUser } from './user-directory.ts';
import { addRoles, requireUser, type HeldRole } from '../data/user-role-queries.ts';
import { requireAdministration } from './user-sessions.ts';
import { markAdmitted, setUserNote, upsertUser, type UserFacts } from '../data/user-queries.ts';

type Invitation = z.output<typeof inviteUserInput>;

/**
 * Creates a user in the user pool, assigns roles, and sends an invitation.
 * @throws PortalError 7001 with the ID of the user who already has the identifier; 2004 for an invalid identifier, or
 * if users are managed elsewhere; 1000 for permissions that the caller does not have
 */
export async function inviteUser(
  deps: AccessDeps,
  caller: Caller,
  invitation: Invitation,
): Promise<UserRow> {
  const { database, directory } = deps;
  const pool = requireAdministration(directory);
  const invited = parseInvitation(invitation);
  const taken = await findTaken(deps, invited);
  if (taken !== undefined) throw alreadyThere(taken);
  const id = await serializeAccessChange(database, async (tx) => {
    const granter = await loadGranter(tx, directory, caller);
    requirePermanentManager(granter);
    await requireRoomForInvitation(tx, caller);
    const roles = await requireRoles(tx, invitation.roleIds);
    for (const role of roles) requireCanAssign(granter, role);
    const facts = await pool.createUser(invited, caller).catch(assignToFields(invitation));
    const userId = await upsertUser(tx, newId(), facts);
    await setUserNote(tx, userId, invitation.note);
    await addRoles(tx, userId, invitation.roleIds);
    await markAdmitted(tx, userId);
    const user = { id: userId, subject: facts.subject };
    await updateAdminGroup(tx, directory, { user, roles, isMember: true, caller });
    await sendInvitation(tx, deps, { ...facts, language: invitation.language });
    await recordInvitation(tx, caller, { userId, facts, roles });
    return userId;
  });
  return getUser(deps, caller.viewer, id);
}

/**
 * Sends the invitation again to a user who has not signed in yet.
 * @throws PortalError 2003; 2004 if the user has signed in
 */
export function inviteAgain(deps: AccessDeps, caller: Caller, id: string): Promise<void> {
  return serializeAccessChange(deps.database, async (tx) => {
    const granter = await loadGranter(tx, deps.directory, caller);
    await requireRoomForInvitation(tx, caller);
    const user = await requireUser(tx, id);
    for (const role of user.roles) requireCanAssign(granter, role);
    if (user.lastSignInAt !== null || user.status !== 'Activated') {
      throw refuse('already-signed-in');
    }
    await sendInvitation(tx, deps, { ...user, language: 'en' });
    await recordInvitation(tx, caller, { userId: id, facts: user, roles: user.roles });
  });
}

/** Each invitation is a message to an address that the caller chooses, so their number is limited. */
async function requireRoomForInvitation(tx: Transaction, { viewer }: Caller): Promise<void> {
  const existing = eventsOfToday('access.user-invited', viewer.userId);
  await requireRoom(tx, { limit: 'invitations', of: viewer.userId, existing });
}

async function recordInvitation(
  tx: Transaction,
  caller: Caller,
  {
    userId,
    facts,
    roles,
  }: {
    readonly userId: string;
    readonly facts: Pick<UserFacts, 'username'>;
    readonly roles: readonly HeldRole[];
  },
): Promise<void> {
  await recordAudit(tx, [
    {
      type: 'access.user-invited',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { userId, username: facts.username, roles: roles.map(({ name }) => name) },
    },
  ]);
}

/**
 * The portal's ID of the user who has one of the identifiers. A user who exists only in the user pool is added to the
 * portal.
 */
async function findTaken(
  { database, directory }: Pick<AccessDeps, 'database' | 'directory'>,
  { username, email, phoneNumber }: InvitedUser,
): Promise<string | undefined> {
  const pool = requireAdministration(directory);
  for (const identifier of [username, email, phoneNumber]) {
    const found = identifier === undefined ? undefined : await pool.findUser(identifier);
    if (found !== undefined) return upsertUser(database.orm, newId(), found);
  }
  return undefined;
}

function alreadyThere(userId: string): PortalError {
  return new PortalError('userAlreadyExists', { facts: { userId } });
}

/** Assigns validation errors of the user pool to the fields of the form. */
function assignToFields({ identifier }: Invitation): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PortalError) || error.issues.length === 0) throw error;
    const issues = error.issues.map(({ path, message }): FieldIssue => {
      const isName = path[0] === 'name' || path[0] === 'username' || identifier.includes('@');
      return { path: [path[0] === 'name' ? 'name' : isName ? 'identifier' : 'contact'], message };
    });
    throw refuse('input-invalid', { issues, cause: error });
  };
}
