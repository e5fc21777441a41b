import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  auditKeysOf,
  auditSigningKeyOf,
  type AuditSigner,
  type AuditSigningKey,
} from '../../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { ringFileOf } from '../../../src/platform/secrets/signing-key-ring.ts';
import { signWith } from '../../../src/platform/secrets/signing-key.ts';
import type { AuditRotationFixture } from './audit-rotation-fixture.ts';

/** Copies the current or next key of the ring from its file. */
export async function stealAuditKey(
  setup: AuditRotationFixture,
  state: 'current' | 'next',
): Promise<AuditSigningKey> {
  const text = await readFile(join(setup.dataDir, ringFileOf('audit')), 'utf8');
  const { keys } = JSON.parse(text) as { keys: { state: string; privateKey: string }[] };
  const stolen = keys.find((key) => key.state === state);
  const key = Buffer.from(stolen?.privateKey ?? '', 'base64');
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const ring = setup.secrets.signingKeys('audit');
  await ring.refresh();
  const known = state === 'current' ? ring.current : ring.next;
  if (known === undefined) throw new Error('nothing to steal');
  return auditSigningKeyOf({ ...known, sign: (message) => signWith(privateKey, message) });
}

/** Seals an event with a stolen key, on top of the current chain. */
export async function forgeBlock(setup: AuditRotationFixture, key: AuditSigningKey): Promise<void> {
  const { database } = setup.test;
  const trustedKeys = auditKeysOf(setup.secrets.signingKeys('audit')).map(
    ({ lastBlock: _ignored, ...each }) => each,
  );
  const signer: AuditSigner = {
    ...key,
    trustedKeys,
    trustedKey: async (id) => trustedKeys.find((each) => each.id === id),
    keyAfter: async () => key,
  };
  await inTransaction(database, (tx) =>
    recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
  );
  await sealAuditTrail({ database, signer, clock: () => new Date() });
}
