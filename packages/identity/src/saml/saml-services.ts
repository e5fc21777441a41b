import { z } from 'zod';
import type { Queryable } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { upsertSamlService, type SamlService } from './saml-service-store.ts';

const serviceSchema = z.object({
  appId: z.string().max(64),
  entityId: z.string().min(1).max(1_024),
  acsUrls: z.array(z.url()).min(1),
  logoutUrl: z.url().nullable(),
  certificate: z.string().includes('BEGIN CERTIFICATE').nullable(),
});

/**
 * Keeps what a service provider said of itself, for the application of this id. Without it an application's assertions go
 * to its redirect addresses, and its requests are not signed.
 * @throws z.ZodError
 */
export async function saveSamlService(
  { clock, db }: Pick<ProviderContext, 'clock'> & { readonly db: Queryable },
  service: SamlService,
): Promise<void> {
  await upsertSamlService(db, serviceSchema.parse(service), new Date(clock.now()));
}
