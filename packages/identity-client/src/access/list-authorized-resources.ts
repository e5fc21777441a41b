import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { localError } from '../core/report.ts';
import { asRecord } from '../core/send.ts';
import { requireUserId } from '../profile/require-user-id.ts';

/** Types of resources that a user can be authorized for. */
export const ResourceType = {
  Data: 'DATA',
  Api: 'API',
  Menu: 'MENU',
  Ui: 'UI',
  Button: 'BUTTON',
} as const;
export type ResourceType = (typeof ResourceType)[keyof typeof ResourceType];

export interface AuthorizedResource {
  readonly code: string;
  readonly type?: ResourceType;
  readonly actions?: readonly string[];
  readonly apiIdentifier?: string;
}

export interface AuthorizedResourcePage {
  readonly totalCount: number;
  readonly list: readonly AuthorizedResource[];
}

const RESOURCES = {
  field: 'user',
  text:
    'query listUserAuthorizedResources($id: String!, $namespace: String, $resourceType: String) { user(id: $id) { ' +
    'authorizedResources(namespace: $namespace, resourceType: $resourceType) { totalCount ' +
    'list { code type actions apiIdentifier } } } }',
};

/** Lists the resources of a namespace that the current user is authorized for. */
export async function listAuthorizedResources(
  client: IdentityClient,
  namespace: string,
  { signal, resourceType }: CallOptions & { readonly resourceType?: ResourceType | undefined } = {},
): Promise<AuthorizedResourcePage> {
  const variables = { id: requireUserId(client), namespace, resourceType };
  const user = await client.graphql({ operation: RESOURCES, variables, signal });
  if (user === null) {
    throw localError(client, 'USER_NOT_FOUND', { zh: '用户不存在', en: 'User does not exist' });
  }
  const { totalCount, list } = asRecord(asRecord(user)['authorizedResources']);
  return {
    totalCount: Number(totalCount ?? 0),
    list: Array.isArray(list) ? list.map(withoutEmpty) : [],
  };
}

function withoutEmpty(item: unknown): AuthorizedResource {
  const said = Object.entries(asRecord(item)).filter(([, value]) => Boolean(value));
  return Object.fromEntries(said) as unknown as AuthorizedResource;
}
