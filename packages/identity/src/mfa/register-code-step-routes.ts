import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { success } from '../provider/wire/envelope.ts';
import {
  attempt,
  completeSecondStep,
  mfaCallerOf,
  requireOffered,
  type MfaCaller,
} from './mfa-caller.ts';
import { proveEmail, provePhone } from './prove-contact.ts';

const email = z.email().max(254);
const phone = z.string().min(5).max(32);
const countryCode = z.string().max(8).nullish();
const code = z.string().regex(/^\s*\d{4,8}\s*$/);
const smsSchema = z.object({ phone, code, phoneCountryCode: countryCode });
const emailSchema = z.object({ email, code });
const checkSchema = z
  .object({ email: email.nullish(), phone: phone.nullish(), phoneCountryCode: countryCode })
  .refine((body) => Boolean(body.email) || Boolean(body.phone), { path: ['email'] });

/** Codes as a second step: `/api/v2/applications/mfa/…` (identity-sdk.md, section 7). */
export function registerCodeStepRoutes(app: FastifyInstance, context: ProviderContext): void {
  app.post('/api/v2/applications/mfa/sms/verify', async (request) => {
    const body = smsSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'SMS');
    await provePhone(context, caller, body);
    return success(await completeSecondStep(context, caller, 'SMS'));
  });
  app.post('/api/v2/applications/mfa/email/verify', async (request) => {
    const body = emailSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'EMAIL');
    await proveEmail(context, caller, body);
    return success(await completeSecondStep(context, caller, 'EMAIL'));
  });
  app.post('/api/v2/applications/mfa/check', async (request) => {
    const body = checkSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    return success(await attempt(context, caller, () => isBindable(context, caller, body)));
  });
}

/** Whether a contact does not belong to another user. */
async function isBindable(
  { users }: ProviderContext,
  { user }: MfaCaller,
  body: z.output<typeof checkSchema>,
): Promise<boolean> {
  const owners = await Promise.all([
    body.email ? users.findBy('email', body.email) : undefined,
    body.phone
      ? users.findBy('phone', users.readPhone(body.phone, body.phoneCountryCode).phoneE164)
      : undefined,
  ]);
  return owners.every((owner) => owner === undefined || owner.id === user.id);
}
