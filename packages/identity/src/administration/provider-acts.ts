import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { lockUser } from '../accounts/provider-account-store.ts';
import type { DirectoryActs } from './account-administration.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findRolesOf } from '../roles/held-roles.ts';
import { addRoleMember, deleteRoleMember, ensureRole, findRoleId } from '../roles/role-store.ts';
import { findOpenSession } from '../sessions/provider-session-store.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { actUser } from './act-user.ts';

/** The accounts of the provider: their sign-ins are its sessions, their groups roles of the namespace `default`. */
export function providerActs(context: ProviderContext): DirectoryActs {
  const { clock, settings, tokens } = context;
  const { userPoolId } = settings;
  const now = (): Date => new Date(clock.now());
  const keyOf = (code: string) => ({ userPoolId, namespace: 'default', code });
  return {
    require: async (client, id) => actUser(await requirePerson(context, id, client)),
    listSignIns: async (_db, id) =>
      (await tokens.listSessions(id)).map((session) => ({
        id: session.id,
        signedInAt: session.createdAt,
        endsAt: session.expiresAt,
      })),
    async endSignIn(client, { accountId, signInId }) {
      const session = await findOpenSession(client, signInId, now());
      if (session?.userId !== accountId || !(await tokens.endSession(signInId, client))) {
        throw new PortalError('notFound', { facts: { session: signInId } });
      }
    },
    async endAllSignIns(client, id) {
      await tokens.endSessionsOf(id, undefined, client);
    },
    listGroups: findRolesOf,
    /** A role that is missing is made. */
    async addMember(client, { accountId: userId, group }) {
      const roleId = await ensureRole(client, { ...keyOf(group), id: newId() }, now());
      return addRoleMember(client, { roleId, userId }, now());
    },
    async removeMember(client, { accountId: userId, group }) {
      const roleId = await findRoleId(client, keyOf(group));
      return roleId !== undefined && deleteRoleMember(client, { roleId, userId });
    },
  };
}

/** Locked: one change of a person at a time. @throws PortalError notFound */
export async function requirePerson(
  { settings }: Pick<ProviderContext, 'settings'>,
  id: string,
  db: Queryable,
): Promise<ProviderUser> {
  const user = await lockUser(db, settings.userPoolId, id);
  if (user === undefined) throw new PortalError('notFound', { facts: { person: id } });
  return user;
}
