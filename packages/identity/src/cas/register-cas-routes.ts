import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from '../provider/provider-context.ts';
import { registerCasLoginRoutes } from './register-cas-login-routes.ts';
import { registerCasValidateRoutes } from './register-cas-validate-routes.ts';
import { tellCasServices } from './tell-cas-services.ts';

/** Sign-ins also end without a browser: by a new password, a locked account, a device that was sent away, or time. */
const TELL_EVERY_MS = 30_000;

/** CAS: sign-in, the three checks of a ticket, and who is signed in; signing out is shared (register-sign-out-route.ts). */
export function registerCasRoutes(app: FastifyInstance, context: ProviderContext): void {
  registerCasLoginRoutes(app, context);
  registerCasValidateRoutes(app, context);
  const timer = setInterval(() => {
    tellCasServices(context).catch((error: unknown) =>
      context.onInternalError(error, 'notification of CAS services about an ended sign-in'),
    );
  }, TELL_EVERY_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
