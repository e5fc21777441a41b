import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { success } from '../provider/wire/envelope.ts';
import { completeSecondStep, mfaCallerOf } from './mfa-caller.ts';
import { beginPasskeyStep, provePasskey, provePasskeyRecoveryCode } from './passkey-step.ts';

const verifySchema = z.object({ credential: z.record(z.string().max(64), z.unknown()) });
const recoverySchema = z.object({ recoveryCode: z.string().min(1).max(128) });

/** A passkey as the second step of a sign-in: `/api/v2/mfa/passkey/…`, in addition to the contract. */
export function registerPasskeyRoutes(app: FastifyInstance, context: ProviderContext): void {
  app.post('/api/v2/mfa/passkey/options', async (request) => {
    const caller = await mfaCallerOf(context, request);
    return success(await beginPasskeyStep(context, caller));
  });
  app.post('/api/v2/mfa/passkey/verify', async (request) => {
    const { credential } = verifySchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    await provePasskey(context, caller, credential);
    return success(await completeSecondStep(context, caller, 'PASSKEY'));
  });
  app.post('/api/v2/mfa/passkey/recovery', async (request) => {
    const { recoveryCode } = recoverySchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    await provePasskeyRecoveryCode(context, caller, recoveryCode);
    return success(await completeSecondStep(context, caller, 'RECOVERY'));
  });
}
