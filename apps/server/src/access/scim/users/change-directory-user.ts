import { serializeAccessChange } from '../../serialize-access-change.ts';
import { requireDirectoryUser, type DirectoryUser } from '../../data/scim/scim-user-queries.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { applyPatch } from '../protocol/apply-patch.ts';
import { requireVersion } from '../protocol/etag.ts';
import { readUser, userAttributes, writableAttributes } from '../protocol/user-attributes.ts';
import { userResource } from '../protocol/user-resource.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { writeDirectoryUser } from './write-directory-user.ts';

export interface ResourceChange {
  readonly id: string;
  readonly method: 'PUT' | 'PATCH';
  readonly body: unknown;
  readonly ifMatch: string | undefined;
  readonly baseUrl: string;
}

/**
 * Replaces or patches a user. If the directory ends the access, all sessions end at once; queued runs are canceled and
 * schedules paused after the commit.
 * @throws ScimError, PortalError
 */
export async function changeDirectoryUser(
  deps: ScimDeps,
  caller: DirectoryCaller,
  { id, method, body, ifMatch, baseUrl }: ResourceChange,
): Promise<DirectoryUser> {
  const { hasLeft } = await serializeAccessChange(deps.database, async (tx) => {
    const before = await requireDirectoryUser(tx, id);
    requireVersion(ifMatch, userResource(before, baseUrl).meta.version);
    const input = readUser(
      method === 'PUT' ? body : applyPatch(userAttributes, writableAttributes(before), body),
    );
    return writeDirectoryUser(tx, deps, { caller, before, input });
  });
  if (hasLeft) await deps.stopQueued(caller, id);
  return requireDirectoryUser(deps.database.orm, id);
}
