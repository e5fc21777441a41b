import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { requireUserId } from '../profile/require-user-id.ts';

export interface Department {
  readonly id: string;
  readonly orgId?: string | null;
  readonly name?: string | null;
  readonly nameI18n?: string | null;
  readonly description?: string | null;
  readonly descriptionI18n?: string | null;
  readonly order?: number | null;
  readonly code?: string | null;
  readonly root?: boolean | null;
  readonly depth?: number | null;
  readonly path?: readonly string[] | null;
  readonly codePath?: readonly (string | null)[] | null;
  readonly namePath?: readonly string[] | null;
  readonly createdAt?: string | null;
  readonly updatedAt?: string | null;
  readonly children?: readonly string[] | null;
  readonly isVirtualNode?: boolean | null;
}

export interface DepartmentMembership {
  readonly department: Department;
  readonly isMainDepartment: boolean;
  readonly joinedAt?: string | null;
}

export interface DepartmentPage {
  readonly totalCount: number;
  readonly list: readonly DepartmentMembership[];
}

const DEPARTMENTS = {
  field: 'user',
  text:
    'query getUserDepartments($id: String!, $orgId: String) { user(id: $id) { departments(orgId: $orgId) { totalCount ' +
    'list { department { id orgId name nameI18n description descriptionI18n order code root depth path codePath ' +
    'namePath createdAt updatedAt children isVirtualNode } isMainDepartment joinedAt } } } }',
};

/** Lists the departments of the current user. */
export async function listDepartments(
  client: IdentityClient,
  { signal, orgId }: CallOptions & { readonly orgId?: string } = {},
): Promise<DepartmentPage> {
  const variables = { id: requireUserId(client), orgId };
  const user = await client.graphql({ operation: DEPARTMENTS, variables, signal });
  const found = (user as { departments?: DepartmentPage } | null)?.departments;
  return found ?? { totalCount: 0, list: [] };
}

/**
 * Lists the organizations of the current user, each as the path from its root to the user's
 * department.
 */
export async function listOrganizations(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<unknown> {
  return client.rest({ method: 'GET', path: '/api/v2/users/me/orgs', signal });
}
