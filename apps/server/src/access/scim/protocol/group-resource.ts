import { z } from 'zod';
import type { DirectoryGroup } from '../../data/scim/scim-group-queries.ts';
import type { Attributes } from './apply-patch.ts';
import { versionOf } from './etag.ts';
import { invalid } from './scim-error.ts';
import type { ScimResource } from './user-resource.ts';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Members in one group of a request. */
const MOST_MEMBERS = 20_000;

export const groupAttributes: Attributes = {
  ...{ schemas: 'read-only', id: 'read-only', meta: 'read-only' },
  displayName: 'simple',
  externalId: 'simple',
  members: { list: ['value', 'display', 'type', '$ref'] },
};

const groupSchema = z.object({
  displayName: z.string().trim().min(1).max(256),
  externalId: z.preprocess((value) => value ?? undefined, z.string().trim().max(256).optional()),
  members: z
    .array(z.object({ value: z.uuid() }))
    .max(MOST_MEMBERS)
    .default([]),
});

/** @throws ScimError 400 */
export function readGroup(body: unknown): z.output<typeof groupSchema> {
  const parsed = groupSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is invalid'}`);
}

export interface GroupMember {
  readonly id: string;
  readonly name: string;
}

/** @param members undefined if they were not asked for */
export function groupResource(
  group: DirectoryGroup,
  members: readonly GroupMember[] | undefined,
  baseUrl: string,
): ScimResource {
  const content = {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.name,
    ...(members !== undefined && {
      members: members.map(({ id, name }) => ({
        value: id,
        display: name,
        type: 'User',
        $ref: `${baseUrl}/Users/${id}`,
      })),
    }),
  };
  const meta = {
    resourceType: 'Group',
    created: group.createdAt.toISOString(),
    lastModified: group.changedAt.toISOString(),
    location: `${baseUrl}/Groups/${group.id}`,
    version: versionOf(content),
  };
  return { ...content, meta };
}
