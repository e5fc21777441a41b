import type { FastifyInstance } from 'fastify';
import { withinProtocol } from '../applications/within-protocol.ts';
import { registerCasRoutes } from '../cas/register-cas-routes.ts';
import type { OpenFaces } from '../face/open-faces.ts';
import { registerHostedPageRoutes } from '../hosted-page/register-hosted-page-routes.ts';
import { registerSignOutRoutes } from '../hosted-page/register-sign-out-route.ts';
import { findServiceSignIn } from '../hosted-page/service-sign-ins.ts';
import { createOidcProviders } from '../oidc/create-oidc-providers.ts';
import { findOidcSignIn } from '../oidc/oidc-sign-ins.ts';
import { registerOidcRoutes } from '../oidc/register-oidc-routes.ts';
import type { ConnectionDeps } from '../connections/connection-deps.ts';
import { registerSamlRoutes } from '../saml/register-saml-routes.ts';

/** OpenID Connect, OAuth 2, CAS and SAML, and the page on which people sign in for all of them. */
export function registerStandardProtocols(
  app: FastifyInstance,
  connections: ConnectionDeps,
  faces: OpenFaces,
): void {
  const { context } = connections;
  const oidc = withinProtocol(context, 'oidc');
  const providers = createOidcProviders(oidc);
  registerOidcRoutes(app, oidc, providers);
  registerCasRoutes(app, withinProtocol(context, 'cas'));
  registerSamlRoutes(app, withinProtocol(context, 'saml'));
  registerSignOutRoutes(app, context);
  registerHostedPageRoutes(
    app,
    { connections, faces },
    {
      oidc: findOidcSignIn(oidc, providers),
      service: findServiceSignIn(context),
    },
  );
}
