import type { FastifyInstance } from 'fastify';
import type { ProviderContext } from './provider-context.ts';
import { success } from './wire/envelope.ts';

/** `GET /api/v2/.well-known`: the keys with which clients encrypt passwords (identity-sdk.md, section 6). */
export function registerWellKnownRoutes(
  app: FastifyInstance,
  { keys }: Pick<ProviderContext, 'keys'>,
): void {
  const data = {
    publicKey: keys.passwordRsa.publicPem,
    sm2PublicKey: keys.passwordSm2.publicKey,
  };
  app.get('/api/v2/.well-known', async () => success(data));
}
