import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { mfaMethodsOf } from '../mfa/mfa-methods.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { success } from '../provider/wire/envelope.ts';
import { requireUser } from '../provider/wire/require-user.ts';
import { listAllowedApplications } from './allowed-application-store.ts';

const pageSchema = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(10),
});

/**
 * Security level of an account and its sign-in methods: `/api/v2/users/me/…` (identity-sdk.md,
 * section 7).
 */
export function registerOwnAccountRoutes(app: FastifyInstance, context: ProviderContext): void {
  app.get('/api/v2/users/me/security-level', async (request) => {
    const { user } = await requireUser(context, request);
    const { own } = await mfaMethodsOf(context, user, '');
    return success(securityLevelOf(user, own.length > 0));
  });
  app.get('/api/v2/users/me/applications/allowed', async (request) => {
    const { user } = await requireUser(context, request);
    const page = pageSchema.parse(request.query);
    return success(await listAllowedApplications(context.db, user.userPoolId, page));
  });
}

/** Points of 100: a password by its level, contacts that were verified, and a second step. */
function securityLevelOf(
  user: Pick<ProviderUser, 'emailVerified' | 'phoneVerified' | 'passwordHash' | 'passwordLevel'>,
  mfa: boolean,
): object {
  const { emailVerified: email, phoneVerified: phone } = user;
  const password = user.passwordHash !== null;
  const level = password ? (user.passwordLevel ?? 1) : 0;
  const score = level * 10 + (email ? 20 : 0) + (phone ? 20 : 0) + (mfa ? 30 : 0);
  return { email, phone, password, mfa, passwordSecurityLevel: password ? level : null, score };
}
