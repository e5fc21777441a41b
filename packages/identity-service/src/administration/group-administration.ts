import { PortalError } from '@deviceportal/contract/errors';
import type { Queryable } from '../store/in-transaction.ts';
import {
  deleteMembership,
  findGroup,
  insertGroup,
  insertMembership,
  listAllGroups,
  readGroupNames,
  type UserGroup,
} from '../store/group-store.ts';
import { administer, type AdministrationContext } from './administer.ts';
import { serverOrigin, type ActOrigin } from './administration-act.ts';
import { parseInput } from './parse-input.ts';
import { newGroupSchema, type NewGroup } from './user-input.ts';
import { requireUser } from './write-user.ts';

export type { UserGroup } from '../store/group-store.ts';

/**
 * Groups and their members. An unknown user or group is PortalError `notFound`. Adding or removing twice changes
 * nothing. Who does it and how it is written down: as with users.
 */
export interface GroupAdministration {
  /** @returns the group, and whether it is new; an existing one of this name stays as it is */
  createGroup(
    input: NewGroup,
    origin?: ActOrigin,
  ): Promise<{ readonly group: UserGroup; readonly isNew: boolean }>;
  /** @returns the group; an existing one of this name stays as it is */
  ensureGroup(input: NewGroup): Promise<UserGroup>;
  listGroups(): Promise<UserGroup[]>;
  listGroupsOfUser(sub: string): Promise<string[]>;
  addUserToGroup(sub: string, group: string, origin?: ActOrigin): Promise<void>;
  removeUserFromGroup(sub: string, group: string, origin?: ActOrigin): Promise<void>;
}

export function createGroupAdministration(context: AdministrationContext): GroupAdministration {
  const { pool } = context;
  return {
    createGroup: (input, origin) => createGroup(context, input, origin),
    ensureGroup: async (input) => (await createGroup(context, input)).group,
    listGroups: () => listAllGroups(pool),
    async listGroupsOfUser(sub) {
      await requireUser(pool, sub);
      return readGroupNames(pool, sub);
    },
    addUserToGroup: (sub, group, origin) => addMember(context, { sub, group }, origin),
    removeUserFromGroup: (sub, group, origin) => removeMember(context, { sub, group }, origin),
  };
}

interface Membership {
  readonly sub: string;
  readonly group: string;
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

async function addMember(
  context: AdministrationContext,
  member: Membership,
  origin: ActOrigin = serverOrigin,
): Promise<void> {
  const { sub, group } = member;
  await administer(context, origin, async (act) => {
    const user = await requireUser(act.client, sub);
    await requireGroup(act.client, group);
    if (await insertMembership(act.client, member, act.now)) {
      await act.write('groupMemberAdded', { user, detail: { group } });
    }
  });
}

async function removeMember(
  context: AdministrationContext,
  member: Membership,
  origin: ActOrigin = serverOrigin,
): Promise<void> {
  const { sub, group } = member;
  await administer(context, origin, async (act) => {
    const user = await requireUser(act.client, sub);
    await requireGroup(act.client, group);
    if (await deleteMembership(act.client, member)) {
      await act.write('groupMemberRemoved', { user, detail: { group } });
    }
  });
}

async function requireGroup(db: Queryable, name: string): Promise<UserGroup> {
  const group = await findGroup(db, name);
  if (group === undefined) throw new PortalError('notFound', { facts: { group: name } });
  return group;
}
