import { createAuditSigner } from '../../src/audit-trail/audit-signer.ts';
import { sealAuditTrail, type SealDeps } from '../../src/audit-trail/seal-audit-trail.ts';
import { openAnalytics } from '../../src/audit-trail/cold/open-analytics.ts';
import type { RecordSources } from '../../src/audit-trail/cold/read-records.ts';
import type { Database } from '../../src/platform/database/database.ts';

/** The key with which tests seal. */
export const testSigner = createAuditSigner(Buffer.alloc(32, 7));

export const sealing = ({ database }: { readonly database: Database }): SealDeps => ({
  database,
  signer: testSigner,
  clock: () => new Date(),
});

/** Where the events of a test are: none of them has become a file. */
export const onlyHot = ({ database }: { readonly database: Database }): RecordSources => ({
  database,
  analytics: openAnalytics(),
  coldDir: '/nowhere',
});

/** Seals all that waits. */
export async function sealAll(
  test: { readonly database: Database },
  batchSize = 2_000,
): Promise<void> {
  while ((await sealAuditTrail(sealing(test), batchSize)) > 0);
}
