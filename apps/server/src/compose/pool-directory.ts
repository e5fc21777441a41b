import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { PoolUser } from '@deviceportal/identity/user-administration';
import type { UserDirectory } from '../access/users/user-directory.ts';
import { createPoolAdministration, factsOf } from './pool-administration.ts';

const PAGE_SIZE = 1_000;

/** The embedded user pool as a user directory of the portal. */
export function createPoolDirectory(
  identity: Pick<IdentityService, 'accounts' | 'users' | 'groups'>,
): UserDirectory {
  return {
    administration: createPoolAdministration(identity),
    async ensureUser({ username, email, name, groups }) {
      const found = await identity.users.findUser(username);
      const user = found ?? (await identity.users.createUser({ username, email, name }));
      for (const group of groups) {
        await identity.groups.ensureGroup({ name: group });
        await identity.groups.addUserToGroup(user.sub, group);
      }
      return factsOf(user);
    },
    async groupsBySubject() {
      const bySubject = new Map<string, string[]>();
      for (const { name } of await identity.groups.listGroups()) {
        for (const { sub } of await listMembers(identity, name)) {
          bySubject.set(sub, [...(bySubject.get(sub) ?? []), name]);
        }
      }
      return bySubject;
    },
  };
}

async function listMembers(
  identity: Pick<IdentityService, 'users'>,
  group: string,
): Promise<PoolUser[]> {
  const members: PoolUser[] = [];
  for (;;) {
    const after = members.at(-1)?.username;
    const page = await identity.users.listUsers({
      group,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    });
    members.push(...page);
    if (page.length < PAGE_SIZE) return members;
  }
}
