import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import type { ProviderRole, ProviderRoleInput } from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import type { ActOrigin } from './administration-act.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { addRoleMember, deleteRoleMember, ensureRole, findRoleId } from '../roles/role-store.ts';
import { actUser } from './act-user.ts';
import { administerProvider } from './administer-provider.ts';
import { requireMember, type MemberAdministration } from './members.ts';
import {
  deleteRole,
  findRole,
  selectRoleMembers,
  selectRoles,
  updateRole,
  type RoleLock,
  type RoleName,
  type RolePlace,
} from './role-list-store.ts';

/**
 * Administration of application roles, by code and namespace. The portal's own role has no members
 * here: PortalError invalidParameters, because administrators are assigned in the list of users.
 */
export interface RoleAdministration extends MemberAdministration {
  /** By namespace and code. */
  list(page: {
    readonly after: RolePlace | undefined;
    readonly limit: number;
  }): Promise<readonly ProviderRole[]>;
  /** @throws PortalError invalidParameters for a code that the namespace has */
  create(input: ProviderRoleInput, origin: ActOrigin): Promise<{ readonly id: string }>;
  edit(
    role: { readonly id: string; readonly description: string },
    origin: ActOrigin,
  ): Promise<void>;
  /** Also from all who hold it. @throws PortalError invalidParameters for the portal's own */
  remove(id: string, origin: ActOrigin): Promise<void>;
}

export function createRoleAdministration(context: ProviderContext): RoleAdministration {
  const { db, settings, users } = context;
  const { userPoolId } = settings;
  const administer = administerProvider(context);
  const require = async (client: Queryable, id: string, lock: RoleLock): Promise<RoleName> => {
    const found = await findRole(client, { userPoolId, id }, lock);
    if (found === undefined) throw new PortalError('notFound', { facts: { role: id } });
    return found;
  };
  const requireFree = async (client: Queryable, id: string, lock: RoleLock): Promise<RoleName> => {
    const role = await require(client, id, lock);
    if (isPortals(role)) throw isPortalsError();
    return role;
  };
  const detailOf = ({ namespace, code }: RolePlace) => ({ role: code, namespace });
  return {
    list: async (page) =>
      (await selectRoles(db, userPoolId, page)).map((role) => ({
        ...role,
        isPortals: isPortals(role),
      })),
    create: (input, origin) =>
      administer(origin, async ({ client, now, write }) => {
        if (isPortals(input)) throw isPortalsError();
        const key = { userPoolId, namespace: input.namespace, code: input.code };
        const id = newId();
        const isThere = (await findRoleId(client, key)) !== undefined;
        const kept = await ensureRole(client, { ...key, id, description: input.description }, now);
        if (isThere || kept !== id) throw isThereError();
        await write('roleCreated', { detail: detailOf(input) });
        return { id };
      }),
    edit: ({ id, description }, origin) =>
      administer(origin, async ({ client, now, write }) => {
        const role = await require(client, id, 'update');
        await updateRole(client, { id, description }, now);
        await write('roleChanged', { detail: detailOf(role) });
      }),
    remove: (id, origin) =>
      administer(origin, async ({ client, write }) => {
        const role = await requireFree(client, id, 'update');
        await deleteRole(client, id);
        await write('roleRemoved', { detail: detailOf(role) });
      }),
    listMembers: async (id, page) => {
      await require(db, id, 'none');
      return selectRoleMembers(db, id, page);
    },
    addMember: ({ id, person }, origin) =>
      administer(origin, async ({ client, now, write }) => {
        const role = await requireFree(client, id, 'share');
        const user = await requireMember(context, person);
        if (!(await addRoleMember(client, { roleId: id, userId: user.id }, now))) return;
        await write('roleMemberAdded', { user: actUser(user), detail: detailOf(role) });
      }),
    removeMember: ({ id, userId }, origin) =>
      administer(origin, async ({ client, write }) => {
        const role = await requireFree(client, id, 'share');
        const user = await users.find(userId, client);
        if (user === undefined || !(await deleteRoleMember(client, { roleId: id, userId }))) {
          throw new PortalError('notFound', { facts: { person: userId } });
        }
        await write('roleMemberRemoved', { user: actUser(user), detail: detailOf(role) });
      }),
  };
}

/**
 * Whether this role makes a user an administrator of the portal. It is assigned only by the
 * portal's own rules.
 */
function isPortals({ namespace, code }: Pick<RoleName, 'namespace' | 'code'>): boolean {
  return namespace === 'default' && code === ADMIN_GROUP;
}

const isPortalsError = (): PortalError =>
  refuse('provider-role-of-portal', { field: 'id', facts: { role: ADMIN_GROUP } });

const isThereError = (): PortalError => refuse('provider-role-code-taken', { field: 'code' });
