import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeysOf, auditSignerOf } from '../../src/audit-trail/audit-signer.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { rotateAuditKey } from '../../src/installation/rotate-audit-key.ts';
import { openInstallationSecrets } from '../../src/platform/installation-secrets.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { onlyHot } from '../support/audit/audit-signer.ts';
import {
  BackupFixture,
  runRestore,
  type RestorePlace,
} from '../support/database/backup-fixture.ts';

const clock = (): Date => new Date();
let setup: BackupFixture;
beforeEach(async () => {
  setup = await BackupFixture.open();
});
afterEach(() => setup[Symbol.asyncDispose]());

const restore = (place: RestorePlace, file: string) =>
  runRestore(place, [file, '--identity', setup.identity, '--audit-key', setup.auditKey]);

async function rotate(): Promise<void> {
  const { source, secrets } = setup;
  const signer = auditSignerOf(secrets.signingKeys('audit'));
  const deps = { ...{ database: source.database, secrets, clock, signer }, anchors: [], waitMs: 0 };
  expect(await rotateAuditKey(deps, { begin: true })).toMatchObject({ kind: 'done' });
}

/** Seals new events after the restored ones, and verifies all of them. */
async function sealMore({ database: { database }, dataDir }: RestorePlace) {
  const secrets = await openInstallationSecrets(createFileSecrets(dataDir));
  const ring = secrets.signingKeys('audit');
  const signer = auditSignerOf(ring);
  expect(await sealAuditTrail({ database, clock, signer })).toBeGreaterThan(0);
  const { broken } = await verifyAuditTrail({
    ...onlyHot({ database }),
    trustedKeys: auditKeysOf(ring),
  });
  const { rows } = await database.pool.query(
    `select data->>'to' as "to" from audit_event where type = 'audit-trail.key-rotated' order by id desc limit 1`,
  );
  return { broken, rows, signer };
}

test('continues with a new key after a restore into a new folder, and announces it in the trail and to the operator', async () => {
  const place = await setup.place();
  const { code, output } = await restore(place, await setup.backUp());
  expect({ code, output }).toMatchObject({ code: 0 });
  const { broken, rows, signer } = await sealMore(place);
  expect(broken).toBeNull();
  expect(rows).toEqual([{ to: signer.keyId }]);
  expect(output).toContain(`Pin ${signer.publicKey.toString('base64url')}`);
});

test('restores a backup from before a rotation next to the keys from after it, and continues the trail', async () => {
  const file = await setup.backUp();
  await rotate();
  const place = await setup.place();
  await cp(join(setup.folder, 'from'), place.dataDir, { recursive: true });
  const { code, output } = await restore(place, file);
  expect({ code, output }).toMatchObject({ code: 0 });
  const { broken, rows, signer } = await sealMore(place);
  expect(broken).toBeNull();
  expect(rows).toEqual([{ to: signer.keyId }]);
});

test('restores a backup from after a rotation next to its own keys, and keeps them', async () => {
  await rotate();
  const file = await setup.backUp();
  const place = await setup.place();
  await cp(join(setup.folder, 'from'), place.dataDir, { recursive: true });
  const { code, output } = await restore(place, file);
  expect({ code, output }).toMatchObject({ code: 0 });
  const { broken, signer } = await sealMore(place);
  expect(broken).toBeNull();
  expect(signer.publicKey.toString('base64url')).toBe(setup.auditKey);
});
