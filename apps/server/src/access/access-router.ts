import type { UserPasskeysDeps } from '../passkeys/user-passkeys.ts';
import { router } from '../platform/api.ts';
import type { AccessDeps, StopQueued } from './access-deps.ts';
import type { AccessGrantDeps, FindCreatedObjects } from './access-grants/access-grant-deps.ts';
import { createAccessGrantsRouter } from './access-grants/access-grants-router.ts';
import { createRolesRouter } from './roles/roles-router.ts';
import { createConnectionsRouter } from './scim/connections/connections-router.ts';
import { createUsersRouter } from './users/users-router.ts';

export function createAccessRouter(
  deps: AccessDeps &
    AccessGrantDeps &
    UserPasskeysDeps & {
      readonly stopQueued: StopQueued;
      readonly findCreatedObjects: FindCreatedObjects;
    },
) {
  return router({
    roles: createRolesRouter(deps),
    users: createUsersRouter(deps),
    accessGrants: createAccessGrantsRouter(deps),
    directoryConnections: createConnectionsRouter(deps),
  });
}
