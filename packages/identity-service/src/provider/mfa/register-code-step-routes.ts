import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider-context.ts';
import type { UserChange } from '../users/provider-user.ts';
import { success } from '../wire/envelope.ts';
import { ProviderError } from '../wire/provider-error.ts';
import {
  attempt,
  completeSecondStep,
  mfaCallerOf,
  requireOffered,
  type MfaCaller,
} from './mfa-caller.ts';
import { mfaRefusals } from './mfa-refusals.ts';
import { requireBindable } from './require-bindable.ts';

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
    const number = context.users.readPhone(body.phone, body.phoneCountryCode);
    const isOwn = caller.user.phoneVerified && caller.user.phoneE164 === number.phoneE164;
    const to = { recipient: number.phoneE164, code: body.code, isOwn };
    await proveContact(context, caller, { ...to, change: { ...number, phoneVerified: true } });
    return success(await completeSecondStep(context, caller, 'SMS'));
  });
  app.post('/api/v2/applications/mfa/email/verify', async (request) => {
    const body = emailSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    requireOffered(caller, 'EMAIL');
    const { user } = caller;
    const isOwn = user.emailVerified && user.email?.toLowerCase() === body.email.toLowerCase();
    const change = { email: body.email, emailVerified: true };
    await proveContact(context, caller, { recipient: body.email, code: body.code, isOwn, change });
    return success(await completeSecondStep(context, caller, 'EMAIL'));
  });
  app.post('/api/v2/applications/mfa/check', async (request) => {
    const body = checkSchema.parse(request.body);
    const caller = await mfaCallerOf(context, request);
    return success(await attempt(context, caller, () => isBindable(context, caller, body)));
  });
}

/**
 * Checks the code of a contact: of the person's own one, or, while a second step is set up, of one that becomes theirs.
 * @throws ProviderError contactNotYours, wrongCode and its like, userExists
 */
async function proveContact(
  context: ProviderContext,
  caller: MfaCaller,
  proof: {
    readonly recipient: string;
    readonly code: string;
    readonly isOwn: boolean;
    readonly change: UserChange;
  },
): Promise<void> {
  const { user, ticket } = caller;
  const isBinding = ticket?.mayBind === true;
  if (isBinding) await requireBindable(context, caller);
  else if (!proof.isOwn) throw new ProviderError(mfaRefusals.contactNotYours);
  await attempt(context, caller, async () => {
    const { recipient: to, code: typed } = proof;
    const purposes = ['verify-mfa', 'bind-mfa'] as const;
    const checked = await context.codes.check({ to, purposes, code: typed.trim() }, caller);
    await context.codes.spend(checked);
  });
  if (proof.isOwn) return;
  await context.users.update(user.id, proof.change);
  context.signIns.recordChange(user, caller, 'a contact for the second step was bound');
}

/** Whether a contact is nobody else's. */
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
