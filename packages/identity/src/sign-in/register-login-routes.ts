import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { sendSmsCode, smsRequestSchema } from '../codes/send-sms-code.ts';
import { listCustomValues } from '../custom-values/custom-value-store.ts';
import { readCustomData } from '../custom-values/read-custom-data.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { readRegistration } from '../registration/read-registration.ts';
import { afterRegistration, createAccount } from '../registration/register-user.ts';
import { logInByCode } from './log-in-by-code.ts';
import { emailSchema } from '../accounts/names.ts';
import { toWireUser } from '../accounts/wire-user.ts';
import { callerOf } from '../provider/wire/caller-of.ts';
import { success } from '../provider/wire/envelope.ts';
import { wordsOf } from '../provider/wire/provider-error.ts';

const codeSchema = z.string().min(1).max(16);

const registrationSchema = z.object({
  email: emailSchema,
  code: codeSchema,
  profile: z.record(z.string(), z.unknown()).nullish(),
  forceLogin: z.boolean().nullish(),
  generateToken: z.boolean().nullish(),
  phoneToken: z.string().nullish(),
  params: z.unknown().optional(),
  customData: z.unknown().optional(),
});

const loginSchema = z.object({
  email: emailSchema,
  code: codeSchema,
  params: z.unknown().optional(),
  customData: z.unknown().optional(),
});

const sent = { code: 200, en: 'the message was sent', zh: '短信发送成功' };

/** The REST calls around signing in (identity-sdk.md, section 7). */
export function registerLoginRoutes(app: FastifyInstance, context: ProviderContext): void {
  app.post('/api/v2/register/email-code', async (request) => {
    const caller = await callerOf(context, request);
    const { email, code, profile, ...rest } = registrationSchema.parse(request.body);
    const read = readRegistration({ profile: profile ?? null, ...extras(rest) });
    const purposes = ['register', 'login', 'verify-email'] as const;
    const checked = await context.codes.check({ to: email, code, purposes }, caller);
    const method = 'basic:email-code';
    const own = { email, emailVerified: true, registerSource: [method] };
    const account = { ...read, user: { ...read.user, ...own }, code: checked };
    const { phoneToken } = rest;
    const user = await createAccount(context, { ...account, phoneToken }, caller);
    const made = await afterRegistration(context, user, caller, { ...rest, method });
    return success(await complete(made));
  });

  app.post('/api/v2/login/email-code', async (request) => {
    const caller = await callerOf(context, request);
    const { email, code, params, customData } = loginSchema.parse(request.body);
    const login = {
      to: { email },
      code,
      customData: readCustomData(extras({ params, customData })),
    };
    const { user, issued } = await logInByCode(context, login, caller);
    return success(await complete({ ...toWireUser(user, issued), newlyCreated: false }));
  });

  app.post('/api/v2/sms/send', async (request) => {
    const caller = await callerOf(context, request);
    await sendSmsCode(context, smsRequestSchema.parse(request.body), caller);
    return success(undefined, wordsOf(sent, caller.language));
  });

  /** Clients convert `customData` of the answer. */
  async function complete<T extends { readonly id: string }>(user: T) {
    const customData = await listCustomValues(context.db, { type: 'USER', id: user.id });
    return { ...user, customData };
  }
}

/** Null means nothing, as with the GraphQL calls. */
function extras({ params, customData }: { params?: unknown; customData?: unknown }) {
  return { params: params ?? undefined, customData: customData ?? undefined };
}
