import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import {
  MOST_DEPARTMENTS,
  type DepartmentInput,
  type DepartmentRow,
} from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import type { ActOrigin } from './administration-act.ts';
import type { Queryable } from '../database/in-transaction.ts';
import {
  addDepartmentMember,
  insertDepartment,
  insertOrganization,
} from '../departments/department-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { actUser } from './act-user.ts';
import { administerProvider } from './administer-provider.ts';
import {
  countDepartments,
  deleteDepartment,
  deleteDepartmentMember,
  findDepartment,
  isBelow,
  selectDepartmentMembers,
  selectDepartments,
  updateDepartment,
  type DepartmentPlace,
} from './department-list-store.ts';
import { requireMember, type MemberAdministration } from './members.ts';

/** The departments, a tree for each organization. */
export interface DepartmentAdministration extends MemberAdministration {
  /** All of them, each behind the one above it. */
  list(): Promise<readonly DepartmentRow[]>;
  /**
   * Without a parent, creates an organization.
   * @throws PortalError notFound if the parent does not exist; invalidParameters for a duplicate
   * code, or too many departments
   */
  create(input: DepartmentInput, origin: ActOrigin): Promise<{ readonly id: string }>;
  /**
   * @throws PortalError the same; invalidParameters for a parent below it, or in another
   * organization
   */
  edit(input: DepartmentInput & { readonly id: string }, origin: ActOrigin): Promise<void>;
  /** With everything below it; people stay, without their place in it. */
  remove(id: string, origin: ActOrigin): Promise<void>;
}

export function createDepartmentAdministration(context: ProviderContext): DepartmentAdministration {
  const { db, settings, users } = context;
  const { userPoolId } = settings;
  const administer = administerProvider(context);
  const require = async (client: Queryable, id: string): Promise<DepartmentPlace> => {
    const found = await findDepartment(client, { userPoolId, id });
    if (found === undefined) throw new PortalError('notFound', { facts: { department: id } });
    return found;
  };
  return {
    list: () => selectDepartments(db, userPoolId),
    create: ({ parentId, ...input }, origin) =>
      administer(origin, async ({ client, now, write }) => {
        if ((await countDepartments(client)) >= MOST_DEPARTMENTS)
          throw refuse('too-many-departments', { facts: { most: MOST_DEPARTMENTS } });
        const parent = parentId === null ? undefined : await require(client, parentId);
        const id = newId();
        const orgId = parent?.orgId ?? newId();
        if (parent === undefined) {
          await insertOrganization(client, { id: orgId, userPoolId, name: input.name }, now);
        }
        const { code, ...words } = input;
        const place = { id, orgId, ...(parent && { parentId: parent.id }) };
        await insertDepartment(client, { ...place, ...words, ...(code !== null && { code }) }, now) //
          .catch(inCode);
        await write('departmentCreated', { detail: { department: input.name, departmentId: id } });
        return { id };
      }),
    edit: ({ id, parentId, ...input }, origin) =>
      administer(origin, async ({ client, now, write }) => {
        await countDepartments(client);
        const before = await require(client, id);
        if (parentId !== before.parentId) await requirePlace(client, before, parentId);
        await updateDepartment(client, { id, parentId, ...input }, now).catch(inCode);
        await write('departmentChanged', { detail: { department: input.name, departmentId: id } });
      }),
    remove: (id, origin) =>
      administer(origin, async ({ client, write }) => {
        const { name } = await require(client, id);
        await deleteDepartment(client, id);
        await write('departmentRemoved', { detail: { department: name, departmentId: id } });
      }),
    listMembers: async (id, page) => {
      await require(db, id);
      return selectDepartmentMembers(db, id, page);
    },
    addMember: ({ id, person }, origin) =>
      administer(origin, async ({ client, now, write }) => {
        const { name } = await require(client, id);
        const user = await requireMember(context, person);
        const member = { departmentId: id, userId: user.id, isMain: false };
        if (!(await addDepartmentMember(client, member, now))) return;
        const detail = { department: name, departmentId: id };
        await write('departmentMemberAdded', { user: actUser(user), detail });
      }),
    removeMember: ({ id, userId }, origin) =>
      administer(origin, async ({ client, write }) => {
        const { name } = await require(client, id);
        const user = await users.find(userId, client);
        if (user === undefined || !(await deleteDepartmentMember(client, id, userId))) {
          throw new PortalError('notFound', { facts: { person: userId } });
        }
        const detail = { department: name, departmentId: id };
        await write('departmentMemberRemoved', { user: actUser(user), detail });
      }),
  };

  async function requirePlace(
    client: Queryable,
    department: DepartmentPlace,
    parentId: string | null,
  ): Promise<void> {
    if (parentId === null || department.parentId === null) throw wrongPlace();
    const parent = await require(client, parentId);
    if (parent.orgId !== department.orgId || (await isBelow(client, department.id, parentId))) {
      throw wrongPlace();
    }
  }
}

const wrongPlace = (): PortalError => refuse('department-place-invalid', { field: 'parentId' });

const UNIQUE_VIOLATION = '23505';

/** Converts the error of a duplicate code in an organization. */
function inCode(error: unknown): never {
  if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
  throw refuse('department-code-taken', { field: 'code', cause: error });
}
