import type { FastifyInstance } from 'fastify';
import { registerDeviceRoutes } from '../devices/register-device-routes.ts';
import type { Faces } from '../face/faces.ts';
import { registerEventRoutes } from '../events/register-event-routes.ts';
import { registerLinkRoutes } from '../links/register-link-routes.ts';
import { maintainProvider } from './maintain-provider.ts';
import { registerMfaRoutes } from '../mfa/register-mfa-routes.ts';
import { registerOwnAccountRoutes } from '../own-account/register-own-account-routes.ts';
import { registerPrincipalRoutes } from '../principal/register-principal-routes.ts';
import type { ProviderContext } from './provider-context.ts';
import { registerQrLoginRoutes } from '../qr-login/register-qr-login-routes.ts';
import { registerUploadRoutes } from '../uploads/register-upload-routes.ts';

/** REST calls of users other than sign-in and profile (identity-sdk.md, section 7). */
export function registerRestCalls(
  app: FastifyInstance,
  context: ProviderContext,
  faces: Faces,
): void {
  registerMfaRoutes(app, context, faces);
  registerQrLoginRoutes(app, context);
  registerOwnAccountRoutes(app, context);
  registerDeviceRoutes(app, context);
  registerPrincipalRoutes(app, context);
  registerLinkRoutes(app, context);
  registerUploadRoutes(app, context);
  registerEventRoutes(app, context);
  maintainProvider(app, context);
}
