import { PortalError } from '@deviceportal/contract/errors';
import type { Queryable } from '../database/in-transaction.ts';
import {
  deleteMembership,
  findGroup,
  insertMembership,
  readGroupNames,
  type UserGroup,
} from '../cognito/user-pool/group-store.ts';
import {
  listOpenSignIns,
  revokeAllWithin,
  revokeOriginWithin,
} from '../sessions/refresh-token-store.ts';
import { revocationTimes } from '../cognito/user-pool/revocation-times.ts';
import type { DirectoryActs } from './account-administration.ts';
import type { AdministrationContext } from './administer.ts';
import { requireUser } from './write-user.ts';

/** The accounts of the user pool: their sign-ins are refresh tokens of one origin, their groups those of the pool. */
export function userPoolActs(context: AdministrationContext): DirectoryActs {
  const now = (): Date => new Date(context.clock.now());
  return {
    require: requireUser,
    async listSignIns(db, sub) {
      const open = await listOpenSignIns(db, sub, now());
      return open.map(({ originJti, authTime, expiresAt }) => ({
        id: originJti,
        signedInAt: authTime,
        endsAt: expiresAt,
      }));
    },
    async endSignIn(client, { accountId: sub, signInId: originJti }) {
      const open = await listOpenSignIns(client, sub, now());
      if (!open.some((signIn) => signIn.originJti === originJti)) {
        throw new PortalError('notFound', { facts: { session: originJti } });
      }
      await revokeOriginWithin(client, { sub, originJti }, revocationTimes(context));
    },
    endAllSignIns: (client, sub) => revokeAllWithin(client, sub, revocationTimes(context)),
    async listGroups(db, sub) {
      await requireUser(db, sub);
      return readGroupNames(db, sub);
    },
    async addMember(client, { accountId: sub, group }) {
      await requireGroup(client, group);
      return insertMembership(client, { sub, group }, now());
    },
    async removeMember(client, { accountId: sub, group }) {
      await requireGroup(client, group);
      return deleteMembership(client, { sub, group });
    },
  };
}

/** @throws PortalError notFound */
export async function requireGroup(db: Queryable, name: string): Promise<UserGroup> {
  const group = await findGroup(db, name);
  if (group === undefined) throw new PortalError('notFound', { facts: { group: name } });
  return group;
}
