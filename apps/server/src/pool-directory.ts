import type { IdentityService } from '@deviceportal/identity-service/identity-service';
import type { UserDirectory } from './access/user-directory.ts';
import { createPoolAdministration, factsOf } from './pool-administration.ts';

const PAGE_SIZE = 1_000;

/** The embedded user pool behind the words in which the portal speaks of it. */
export function createPoolDirectory(
  identity: Pick<IdentityService, 'users' | 'groups'>,
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
    async groupsByUsername() {
      const byUsername = new Map<string, string[]>();
      for (const { name } of await identity.groups.listGroups()) {
        for (const username of await listMembers(identity, name)) {
          byUsername.set(username, [...(byUsername.get(username) ?? []), name]);
        }
      }
      return byUsername;
    },
  };
}

async function listMembers(
  identity: Pick<IdentityService, 'users'>,
  group: string,
): Promise<string[]> {
  const members: string[] = [];
  for (;;) {
    const after = members.at(-1);
    const page = await identity.users.listUsers({
      group,
      limit: PAGE_SIZE,
      ...(after === undefined ? {} : { after }),
    });
    members.push(...page.map(({ username }) => username));
    if (page.length < PAGE_SIZE) return members;
  }
}
