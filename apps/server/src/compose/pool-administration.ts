import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { PoolUser } from '@deviceportal/identity/user-administration';
import { originOf } from '../access/act-origin.ts';
import type { DirectoryAdministration } from '../access/users/user-directory.ts';
import type { UserFacts } from '../access/data/user-queries.ts';
import { accountActs } from './account-acts.ts';

/** Administration of the embedded user pool, as the portal uses it. */
export function createPoolAdministration({
  accounts,
  users,
  groups,
}: Pick<IdentityService, 'accounts' | 'users' | 'groups'>): DirectoryAdministration {
  const acts = accountActs(accounts);
  return {
    ...acts,
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
    changeProfile: async (subject, profile, caller) =>
      factsOf(
        await users.updateUser(
          subject,
          { ...profile, emailVerified: true, phoneNumberVerified: true },
          originOf(caller),
        ),
      ),
    roster: {
      kind: 'everybody',
      list: async (after, limit) =>
        (await users.listUsers({ limit, ...(after !== undefined && { after }) })).map((user) => ({
          ...factsOf(user),
          enabled: user.enabled,
        })),
    },
    isEnabled: async (subject) => (await users.getUser(subject)).enabled,
    async setStatus(subject, status, caller) {
      const change = status === 'Activated' ? users.enableUser : users.disableUser;
      await change(subject, originOf(caller));
    },
    async setMember(subject, membership, caller) {
      await groups.ensureGroup({ name: membership.group });
      await acts.setMember(subject, membership, caller);
    },
  };
}

/** A user of the pool in the portal's format. */
export function factsOf(user: PoolUser): UserFacts {
  return {
    subject: user.sub,
    username: user.username,
    email: user.email,
    phone: user.phoneNumber,
    name: user.name ?? user.username,
  };
}
