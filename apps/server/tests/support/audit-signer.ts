import { createAuditSigner } from '../../src/audit-trail/audit-signer.ts';
import { sealAuditTrail, type SealDeps } from '../../src/audit-trail/seal-audit-trail.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** The key with which tests seal. */
export const testSigner = createAuditSigner(Buffer.alloc(32, 7));

export const sealing = ({ database }: { readonly database: Database }): SealDeps => ({
  database,
  signer: testSigner,
  clock: () => new Date(),
});

/** Seals all that waits. */
export async function sealAll(
  test: { readonly database: Database },
  batchSize = 2_000,
): Promise<void> {
  while ((await sealAuditTrail(sealing(test), batchSize)) > 0);
}
