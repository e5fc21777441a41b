import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../../provider/provider-context.ts';
import { toWireUser } from '../../accounts/wire-user.ts';
import { callerOf } from '../../provider/wire/caller-of.ts';
import { success } from '../../provider/wire/envelope.ts';
import { signInByDirectory } from './sign-in-by-directory.ts';

const loginSchema = z.object({
  username: z.string().trim().min(1).max(256),
  password: z.string().min(1).max(1_024),
});

/** `POST /api/v2/{ldap,ad}/verify-user`: signs in with the password of a directory (identity-sdk.md, section 7). */
export function registerDirectoryRoutes(app: FastifyInstance, context: ProviderContext): void {
  for (const protocol of ['ldap', 'ad'] as const) {
    app.post(`/api/v2/${protocol}/verify-user`, async (request) => {
      const caller = await callerOf(context, request);
      const login = loginSchema.parse(request.body);
      const { user, issued } = await signInByDirectory(context, protocol, login, caller);
      return success(toWireUser(user, issued));
    });
  }
}
