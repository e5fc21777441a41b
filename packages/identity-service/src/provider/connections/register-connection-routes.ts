import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import { registerDirectoryRoutes } from './directory/register-directory-routes.ts';
import { createInteractions } from './interactions.ts';
import { registerPublicConfigRoute } from './register-public-config-route.ts';
import { registerReturnRoutes } from './register-return-routes.ts';
import { registerStartRoutes } from './register-start-routes.ts';
import { createUpstream, type Upstream } from './upstream/upstream.ts';
import { webConnections } from './find-connection.ts';

/** Sign-ins with an account elsewhere: directories, and providers that are walked in a window. */
export function registerConnectionRoutes(app: FastifyInstance, context: ProviderContext): void {
  const { settings } = context;
  registerDirectoryRoutes(app, context);
  registerPublicConfigRoute(app, context);
  const upstreams = new Map(
    webConnections(context).map((each): [string, Upstream] => [
      each.identifier,
      createUpstream(each, `${settings.baseUrl}/connections/saml/${each.identifier}`),
    ]),
  );
  const deps = { context, upstreams, interactions: createInteractions(context) };
  registerStartRoutes(app, deps);
  registerReturnRoutes(app, deps);
}
