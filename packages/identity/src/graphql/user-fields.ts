import { listCustomValues } from '../custom-values/custom-value-store.ts';
import { listMemberships } from '../departments/department-store.ts';
import { toWireDepartment } from '../departments/wire-department.ts';
import { listIdentities } from '../identities/identity-store.ts';
import { listAuthorizedResources } from '../resources/resource-store.ts';
import { listRolesOf } from '../roles/role-store.ts';
import { toWireRole } from '../roles/wire-role.ts';
import type { GraphqlCall } from './graphql-call.ts';

interface Parent {
  readonly id: string;
}

/** The namespace of calls that name none. */
const DEFAULT_NAMESPACE = 'default';

/** Fields of a user that are read only if requested. */
export const userFields = {
  customData: ({ id }: Parent, _given: unknown, { provider }: GraphqlCall) =>
    listCustomValues(provider.db, { type: 'USER', id }),
  identities: ({ id }: Parent, _given: unknown, { provider }: GraphqlCall) =>
    listIdentities(provider.db, id),
  async departments({ id }: Parent, { orgId }: { orgId?: string | null }, call: GraphqlCall) {
    const memberships = await listMemberships(call.provider.db, id, orgId ?? undefined);
    return page(
      memberships.map(({ department, isMainDepartment, joinedAt }) => ({
        department: toWireDepartment(department),
        isMainDepartment,
        joinedAt: joinedAt.toISOString(),
      })),
    );
  },
  async roles({ id }: Parent, { namespace }: { namespace?: string | null }, call: GraphqlCall) {
    const roles = await listRolesOf(call.provider.db, id, namespace || DEFAULT_NAMESPACE);
    return page(roles.map(toWireRole));
  },
  async authorizedResources(
    { id }: Parent,
    given: { namespace?: string | null; resourceType?: string | null },
    call: GraphqlCall,
  ) {
    return page(
      await listAuthorizedResources(call.provider.db, id, {
        namespace: given.namespace || DEFAULT_NAMESPACE,
        type: given.resourceType ?? undefined,
      }),
    );
  },
};

function page<T>(list: readonly T[]) {
  return { totalCount: list.length, list };
}
