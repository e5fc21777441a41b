import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import { registerCasLoginRoutes } from './register-cas-login-routes.ts';
import { registerCasValidateRoutes } from './register-cas-validate-routes.ts';

/** CAS: sign-in, the three checks of a ticket, and who is signed in; signing out is shared (register-sign-out-route.ts). */
export function registerCasRoutes(app: FastifyInstance, context: ProviderContext): void {
  registerCasLoginRoutes(app, context);
  registerCasValidateRoutes(app, context);
}
