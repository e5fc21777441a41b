import { insertGroup, listAllGroups, type UserGroup } from '../cognito/user-pool/group-store.ts';
import type { AccountAdministration } from './account-administration.ts';
import { administer, type AdministrationContext } from './administer.ts';
import { serverOrigin, type ActOrigin } from './administration-act.ts';
import { parseInput } from './parse-input.ts';
import { newGroupSchema, type NewGroup } from './user-input.ts';
import { requireGroup } from './user-pool-acts.ts';

export type { UserGroup } from '../cognito/user-pool/group-store.ts';

/**
 * Groups and their members. An unknown user or group is PortalError `notFound`. Adding or removing twice changes
 * nothing. Who does it and how it is written down: as with users.
 */
export interface GroupAdministration {
  /** @returns the group, and whether it is new; an existing group with this name is not changed */
  createGroup(
    input: NewGroup,
    origin?: ActOrigin,
  ): Promise<{ readonly group: UserGroup; readonly isNew: boolean }>;
  /** @returns the group; an existing group with this name is not changed */
  ensureGroup(input: NewGroup): Promise<UserGroup>;
  listGroups(): Promise<UserGroup[]>;
  listGroupsOfUser(sub: string): Promise<readonly string[]>;
  addUserToGroup(sub: string, group: string, origin?: ActOrigin): Promise<void>;
  removeUserFromGroup(sub: string, group: string, origin?: ActOrigin): Promise<void>;
}

export function createGroupAdministration(
  context: AdministrationContext,
  accounts: AccountAdministration,
): GroupAdministration {
  const { pool } = context;
  return {
    createGroup: (input, origin) => createGroup(context, input, origin),
    ensureGroup: async (input) => (await createGroup(context, input)).group,
    listGroups: () => listAllGroups(pool),
    listGroupsOfUser: accounts.listGroups,
    addUserToGroup: (accountId, group, origin) =>
      accounts.setMember({ accountId, group, isMember: true }, origin),
    removeUserFromGroup: (accountId, group, origin) =>
      accounts.setMember({ accountId, group, isMember: false }, origin),
  };
}

async function createGroup(
  context: AdministrationContext,
  input: NewGroup,
  origin: ActOrigin = serverOrigin,
): Promise<{ readonly group: UserGroup; readonly isNew: boolean }> {
  const { name, description, precedence, roleArn } = parseInput(newGroupSchema, input);
  return administer(context, origin, async (act) => {
    const isNew = await insertGroup(act.client, {
      name,
      description: description ?? null,
      precedence: precedence ?? null,
      roleArn: roleArn ?? null,
      createdAt: act.now,
      modifiedAt: act.now,
    });
    if (isNew) await act.write('groupCreated', { detail: { group: name } });
    return { group: await requireGroup(act.client, name), isNew };
  });
}
