import type { Caller } from '../../../platform/viewer.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { lockConnection, markRevoked } from '../../data/scim/scim-connection-queries.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { recordScim } from '../record-scim.ts';
import { requireFullAdministrator } from './require-full-administrator.ts';

/** Ends a connection: its next request is rejected. Users keep their access. @throws PortalError 1000, 2003 */
export function revokeConnection(
  deps: Pick<AccessDeps, 'database' | 'directory'>,
  caller: Caller,
  id: string,
): Promise<void> {
  return serializeAccessChange(deps.database, async (tx) => {
    await requireFullAdministrator(tx, deps, caller);
    const { name } = await lockConnection(tx, id);
    await markRevoked(tx, id);
    await recordScim(tx, caller, 'access.directory-connection-revoked', {
      ...{ connectionId: id, connection: name },
    });
  });
}
