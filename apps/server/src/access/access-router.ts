import { router } from '../platform/api.ts';
import type { AccessDeps, StopQueued } from './access-deps.ts';
import type { ElevationDeps, FindMade } from './elevations/elevation-deps.ts';
import { createElevationsRouter } from './elevations/elevations-router.ts';
import { createRolesRouter } from './roles/roles-router.ts';
import { createUsersRouter } from './users/users-router.ts';

export function createAccessRouter(
  deps: AccessDeps &
    ElevationDeps & { readonly stopQueued: StopQueued; readonly findMade: FindMade },
) {
  return router({
    roles: createRolesRouter(deps),
    users: createUsersRouter(deps),
    elevations: createElevationsRouter(deps),
  });
}
