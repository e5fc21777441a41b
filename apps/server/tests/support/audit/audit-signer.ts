import {
  auditSignerOf,
  createAuditSigner,
  type AuditSigner,
} from '../../../src/audit-trail/audit-signer.ts';
import {
  sealAuditTrail,
  type SealDeps,
} from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import { openAnalytics } from '../../../src/audit-trail/archive/open-analytics.ts';
import type { VerifySources } from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import { openInstallationSecrets } from '../../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../../src/platform/secrets/file-secret-engine.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { openArchive } from '../../../src/platform/files/open-files.ts';

/** The key with which tests seal. */
export const testSigner = createAuditSigner(Buffer.alloc(32, 7));

/** The key of an installation, created if there is none. */
export async function installationSigner(dataDir: string): Promise<AuditSigner> {
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  return auditSignerOf(secrets.signingKeys('audit'));
}

export const sealing = ({ database }: { readonly database: Database }): SealDeps => ({
  database,
  signer: testSigner,
  clock: () => new Date(),
});

/** The sources of a test's events: all in the database, none archived. */
export const onlyHot = ({
  database,
}: {
  readonly database: Database;
}): VerifySources & { readonly anchors: readonly [] } => ({
  database,
  analytics: openAnalytics(),
  archive: openArchive('/nowhere'),
  trustedKeys: testSigner.trustedKeys,
  keptDays: 365,
  anchors: [],
});

/** Seals all pending events. */
export async function sealAll(
  test: { readonly database: Database },
  batchSize = 2_000,
  clock: () => Date = () => new Date(),
): Promise<void> {
  while ((await sealAuditTrail({ ...sealing(test), clock }, batchSize)) > 0);
}

/** Sets the clock by which the database times audit events; null: the product's. */
export async function setAuditClock(
  { owner }: { readonly owner: Database },
  at: Date | null,
): Promise<void> {
  const moment =
    at === null ? 'public.portal_now(statement_timestamp())' : `timestamptz '${at.toISOString()}'`;
  await owner.pool.query(
    `create or replace function audit_clock() returns timestamptz language sql stable as $$ select ${moment} $$`,
  );
}
