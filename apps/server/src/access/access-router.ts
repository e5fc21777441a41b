import { router } from '../platform/api.ts';
import type { AccessDeps } from './access-deps.ts';
import { createRolesRouter } from './roles-router.ts';
import { createUsersRouter } from './users-router.ts';

export function createAccessRouter(deps: AccessDeps) {
  return router({ roles: createRolesRouter(deps), users: createUsersRouter(deps) });
}
