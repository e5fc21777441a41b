import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import type { PoolUser } from '@deviceportal/identity-service/user-administration';
import { serverOrigin } from '@deviceportal/identity-service/administration-act';
import { originOf } from '../access/act-origin.ts';
import type { DirectoryAdministration } from '../access/users/user-directory.ts';
import type { UserFacts } from '../access/data/user-queries.ts';

/** Changes of the embedded user pool, in the words of the portal. */
export function createPoolAdministration({
  users,
  groups,
}: Pick<IdentityService, 'users' | 'groups'>): DirectoryAdministration {
  return {
    createUser: async ({ username, email, phoneNumber, name }, caller) =>
      factsOf(
        await users.createUser(
          {
            username,
            ...(email !== undefined && { email }),
            ...(phoneNumber !== undefined && { phoneNumber }),
            ...(name !== undefined && { name }),
          },
          originOf(caller),
        ),
      ),
    async findUser(identifier) {
      const user = await users.findUser(identifier);
      return user && factsOf(user);
    },
    roster: {
      kind: 'everybody',
      list: async (after, limit) =>
        (await users.listUsers({ limit, ...(after !== undefined && { after }) })).map((user) => ({
          ...factsOf(user),
          enabled: user.enabled,
        })),
    },
    groupsOf: (subject) => groups.listGroupsOfUser(subject),
    isEnabled: async (subject) => (await users.getUser(subject)).enabled,
    async setStatus(subject, status, caller) {
      const change = status === 'Activated' ? users.enableUser : users.disableUser;
      await change(subject, originOf(caller));
    },
    async setMember(subject, { group, isMember }, caller) {
      await groups.ensureGroup({ name: group });
      const change = isMember ? groups.addUserToGroup : groups.removeUserFromGroup;
      await change(subject, group, originOf(caller));
    },
    listSessions: async (subject) =>
      (await users.listSignIns(subject)).map(({ originJti, authTime, expiresAt }) => ({
        id: originJti,
        signedInAt: authTime,
        endsAt: expiresAt,
      })),
    endSession: (sub, originJti, caller) => users.endSignIn({ sub, originJti }, originOf(caller)),
    endAllSessions: (subject, caller) => users.signOutUser(subject, originOf(caller)),
    findLocks: (subjects) => users.findLocks(subjects),
    unlock: (subject, by) =>
      users.unlockUser(subject, by === 'operator' ? serverOrigin : originOf(by)),
  };
}

/** A user of the pool as the portal keeps them. */
export function factsOf(user: PoolUser): UserFacts {
  return {
    subject: user.sub,
    username: user.username,
    email: user.email,
    phone: user.phoneNumber,
    name: user.name ?? user.username,
  };
}
