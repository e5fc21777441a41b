import type { FastifyInstance } from 'fastify';
import type { ConnectionDeps } from './connection-deps.ts';
import { registerDirectoryRoutes } from './directory/register-directory-routes.ts';
import { registerPublicConfigRoute } from './register-public-config-route.ts';
import { registerReturnRoutes } from './register-return-routes.ts';
import { registerStartRoutes } from './register-start-routes.ts';

/** Sign-ins with an account elsewhere: directories, and providers that are walked in a window. */
export function registerConnectionRoutes(app: FastifyInstance, deps: ConnectionDeps): void {
  registerDirectoryRoutes(app, deps.context);
  registerPublicConfigRoute(app, deps.context);
  registerStartRoutes(app, deps);
  registerReturnRoutes(app, deps);
}
