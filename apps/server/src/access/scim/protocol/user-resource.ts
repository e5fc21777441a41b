import type { DirectoryUser } from '../../data/scim/scim-user-queries.ts';
import { versionOf } from './etag.ts';
import { writableAttributes } from './user-attributes.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

export interface ScimResource extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly meta: { readonly version: string; readonly location: string };
}

/** @param baseUrl `https://…/scim/v2` */
export function userResource(user: DirectoryUser, baseUrl: string): ScimResource {
  const content = {
    schemas: [USER_SCHEMA],
    id: user.id,
    ...writableAttributes(user),
    groups: user.roles.map(({ id, name }) => ({
      value: id,
      display: name,
      type: 'direct',
      $ref: `${baseUrl}/Groups/${id}`,
    })),
  };
  const meta = {
    resourceType: 'User',
    created: user.createdAt.toISOString(),
    lastModified: (user.stored?.changedAt ?? user.createdAt).toISOString(),
    location: `${baseUrl}/Users/${user.id}`,
    version: versionOf(content),
  };
  return { ...content, meta };
}
