import { PortalError } from '@deviceportal/contract/errors';
import {
  deleteMembership,
  findGroup,
  insertGroup,
  insertMembership,
  listAllGroups,
  readGroupNames,
  type UserGroup,
} from '../store/group-store.ts';
import { newGroupSchema, type NewGroup } from './user-input.ts';
import { note, parse, requireUser, type AdministrationContext } from './user-administration.ts';

export type { UserGroup } from '../store/group-store.ts';

/** Groups and their members. An unknown user or group is PortalError `notFound`. Adding or removing twice changes nothing. */
export interface GroupAdministration {
  /** @returns the group; an existing one of this name stays as it is */
  ensureGroup(input: NewGroup): Promise<UserGroup>;
  listGroups(): Promise<UserGroup[]>;
  listGroupsOfUser(sub: string): Promise<string[]>;
  addUserToGroup(sub: string, group: string): Promise<void>;
  removeUserFromGroup(sub: string, group: string): Promise<void>;
}

export function createGroupAdministration(context: AdministrationContext): GroupAdministration {
  const { pool } = context;
  return {
    ensureGroup: (input) => ensureGroup(context, input),
    listGroups: () => listAllGroups(pool),
    async listGroupsOfUser(sub) {
      await requireUser(context, sub);
      return readGroupNames(pool, sub);
    },
    async addUserToGroup(sub, group) {
      const user = await requireUser(context, sub);
      await requireGroup(context, group);
      await insertMembership(pool, { sub, group }, new Date(context.clock.now()));
      note(context, user, { kind: 'userChanged', detail: `added to group ${group}` });
    },
    async removeUserFromGroup(sub, group) {
      const user = await requireUser(context, sub);
      await requireGroup(context, group);
      await deleteMembership(pool, { sub, group });
      note(context, user, { kind: 'userChanged', detail: `removed from group ${group}` });
    },
  };
}

async function ensureGroup(context: AdministrationContext, input: NewGroup): Promise<UserGroup> {
  const { name, description, precedence } = parse(newGroupSchema, input);
  const now = new Date(context.clock.now());
  await insertGroup(context.pool, {
    name,
    description: description ?? null,
    precedence: precedence ?? null,
    createdAt: now,
    modifiedAt: now,
  });
  return requireGroup(context, name);
}

async function requireGroup(context: AdministrationContext, name: string): Promise<UserGroup> {
  const group = await findGroup(context.pool, name);
  if (group === undefined) throw new PortalError('notFound', { facts: { group: name } });
  return group;
}
