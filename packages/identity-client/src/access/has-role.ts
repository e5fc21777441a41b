import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { asRecord } from '../core/send.ts';
import { requireUserId } from '../profile/require-user-id.ts';

export interface Role {
  readonly id: string;
  readonly code: string;
  readonly namespace?: string | null;
  readonly arn?: string | null;
  readonly description?: string | null;
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
  readonly parent?: Omit<Role, 'id' | 'parent'> | null;
}

const ROLES = {
  field: 'user',
  text:
    'query getUserRoles($id: String!, $namespace: String) { user(id: $id) { roles(namespace: $namespace) { totalCount ' +
    'list { id code namespace arn description createdAt updatedAt ' +
    'parent { code namespace arn description createdAt updatedAt } } } } }',
};

/** Lists the roles of the current user, in one namespace or in all. */
export async function listRoles(
  client: IdentityClient,
  { signal, namespace }: CallOptions & { readonly namespace?: string | undefined } = {},
): Promise<readonly Role[]> {
  const variables = { id: requireUserId(client), namespace };
  const user = await client.graphql({ operation: ROLES, variables, signal });
  const { list } = asRecord(asRecord(user)['roles']);
  return Array.isArray(list)
    ? (list as readonly Role[]).filter((role) => typeof asRecord(role)['code'] === 'string')
    : [];
}

/** Whether the current user has this role. */
export async function hasRole(
  client: IdentityClient,
  code: string,
  options: CallOptions & { readonly namespace?: string | undefined } = {},
): Promise<boolean> {
  const roles = await listRoles(client, options);
  return roles.some((role) => role.code === code);
}
