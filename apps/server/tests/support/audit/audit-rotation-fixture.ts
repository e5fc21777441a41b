import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnchorPlace } from '../../../src/audit-trail/anchors/anchor-target.ts';
import { auditKeysOf, auditSignerOf } from '../../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import {
  verifyAuditTrail,
  type AuditVerification,
} from '../../../src/audit-trail/verification/verify-audit-trail.ts';
import { openOwnSecrets } from '../../../src/installation/open-own-secrets.ts';
import {
  replaceStolenAuditKey,
  rotateAuditKey,
} from '../../../src/installation/rotate-audit-key.ts';
import type { RotationOutcome } from '../../../src/installation/rotation-deps.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { InstallationSecrets } from '../../../src/platform/installation-secrets.ts';
import { onlyHot } from './audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../database/create-test-database.ts';
import { fileSecretsIn } from '../secrets/file-secrets-in.ts';

const clock = (): Date => new Date();

/** An installation whose audit trail is sealed with the current key of its ring. */
export class AuditRotationFixture implements AsyncDisposable {
  readonly test: TestDatabase;
  readonly dataDir: string;
  /** The secrets of the process under test. */
  secrets: InstallationSecrets;

  private constructor(test: TestDatabase, dataDir: string, secrets: InstallationSecrets) {
    this.test = test;
    this.dataDir = dataDir;
    this.secrets = secrets;
  }

  static async open(): Promise<AuditRotationFixture> {
    const test = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'dp-audit-key-'));
    const config = fileSecretsIn(dataDir);
    const secrets = await openOwnSecrets({ database: test.database, config });
    const setup = new AuditRotationFixture(test, dataDir, secrets);
    await setup.seal();
    return setup;
  }

  /** Another process on a data directory. */
  async another(dataDir = this.dataDir): Promise<InstallationSecrets> {
    const config = fileSecretsIn(dataDir);
    return openOwnSecrets({ database: this.test.database, config });
  }

  rotate(secrets = this.secrets, anchors: readonly AnchorPlace[] = []): Promise<RotationOutcome> {
    const { database } = this.test;
    const signer = auditSignerOf(secrets.signingKeys('audit'));
    return rotateAuditKey(
      { ...{ database, secrets, clock, signer, anchors }, waitMs: 0 },
      { begin: true },
    );
  }

  /** Replaces a stolen key. */
  replace(): Promise<RotationOutcome> {
    const { secrets, test } = this;
    const signer = auditSignerOf(secrets.signingKeys('audit'));
    return replaceStolenAuditKey({ database: test.database, secrets, clock, signer, waitMs: 0 });
  }

  /** Records an event, which this process seals. */
  async seal(secrets = this.secrets): Promise<void> {
    const { database } = this.test;
    await inTransaction(database, (tx) =>
      recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
    );
    const signer = auditSignerOf(secrets.signingKeys('audit'));
    while ((await sealAuditTrail({ database, clock, signer })) > 0);
  }

  /** Verifies with the keys of the ring on disk. */
  async verify(): Promise<AuditVerification> {
    const { dataDir, test } = this;
    const ring = (await this.another(dataDir)).signingKeys('audit');
    return verifyAuditTrail({ ...onlyHot(test), trustedKeys: auditKeysOf(ring) });
  }

  /** The signers of the blocks in their order, each once. */
  async signers(): Promise<string[]> {
    const { rows } = await this.test.database.pool.query<{ key_id: string }>(
      'select key_id from audit_block order by number',
    );
    return [...new Set(rows.map(({ key_id }) => key_id))];
  }

  async countEvents(type: string): Promise<number> {
    const { rowCount } = await this.test.database.pool.query(
      'select from audit_event where type = $1',
      [type],
    );
    return rowCount ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test[Symbol.asyncDispose]();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
