import type { ApiTokenRow } from '@deviceportal/contract/api-tokens';
import { holds } from '@deviceportal/contract/permissions';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Users and their addresses are masked without `people:read`. */
export function maskTokenUsers(row: ApiTokenRow, viewer: Viewer): ApiTokenRow {
  const { owner, createdBy, lastUsedAddress } = row;
  const isReadable = holds(viewer.grants, 'people:read') || owner?.id === viewer.userId;
  return {
    ...row,
    owner: owner && { ...owner, username: maskUser(owner.username, viewer) },
    createdBy: createdBy === null ? null : maskUser(createdBy, viewer),
    lastUsedAddress: isReadable ? lastUsedAddress : null,
  };
}
