import type { FastifyInstance } from 'fastify';
import type { Faces } from '../face/faces.ts';
import { registerFaceRoutes } from '../face/register-face-routes.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { createMfaGate } from './mfa-gate.ts';
import { registerCodeStepRoutes } from './register-code-step-routes.ts';
import { registerPasskeyRoutes } from './register-passkey-routes.ts';
import { registerTotpRoutes } from './register-totp-routes.ts';

/** Registers second factors, which all sign-ins check from then on. */
export function registerMfaRoutes(
  app: FastifyInstance,
  context: ProviderContext,
  faces: Faces,
): void {
  context.signIns.addGate(createMfaGate(context));
  registerPasskeyRoutes(app, context);
  registerTotpRoutes(app, context);
  registerCodeStepRoutes(app, context);
  registerFaceRoutes(app, context, faces);
}
