import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  auditKeysOf,
  auditSigningKeyOf,
  type AuditSigner,
  type AuditSigningKey,
} from '../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../src/audit-trail/seal-audit-trail.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { ringFileOf } from '../../src/platform/secrets/signing-key-ring.ts';
import { signWith } from '../../src/platform/secrets/signing-key.ts';
import { AuditRotationBed } from '../support/audit-rotation-bed.ts';
import { tamperWithTrail } from '../support/tamper-with-trail.ts';

let bed: AuditRotationBed;
beforeEach(async () => {
  bed = await AuditRotationBed.open();
});
afterEach(() => bed[Symbol.asyncDispose]());

/** The key that is current or next in the ring, as whoever has copied its file has it. */
async function steal(state: 'current' | 'next'): Promise<AuditSigningKey> {
  const text = await readFile(join(bed.dataDir, ringFileOf('audit')), 'utf8');
  const { keys } = JSON.parse(text) as { keys: { state: string; privateKey: string }[] };
  const stolen = keys.find((key) => key.state === state);
  const key = Buffer.from(stolen?.privateKey ?? '', 'base64');
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const ring = bed.secrets.signingKeys('audit');
  await ring.refresh();
  const known = state === 'current' ? ring.current : ring.next;
  if (known === undefined) throw new Error('nothing to steal');
  return auditSigningKeyOf({ ...known, sign: (message) => signWith(privateKey, message) });
}

/** Seals an event with a stolen key, on top of whatever is there. */
async function forge(key: AuditSigningKey): Promise<void> {
  const { database } = bed.test;
  const trustedKeys = auditKeysOf(bed.secrets.signingKeys('audit')).map(
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

const deleteBlocks = (after: number): Promise<void> =>
  tamperWithTrail(bed.test, 'delete from audit_block where number > $1', [after]);

test('[audit-turn-1] whoever has stolen a retired key cannot add a block after the hand-over', async () => {
  const stolen = await steal('current');
  await bed.rotate();
  await bed.seal();
  await forge(stolen);
  expect(await bed.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
  await expect(bed.seal()).rejects.toMatchObject({ reason: 'unsigned' });
});

test('[audit-turn-2] nor make all blocks since the hand-over anew with it', async () => {
  const stolen = await steal('current');
  await bed.rotate();
  await bed.seal();
  const [last] = auditKeysOf(bed.secrets.signingKeys('audit')).flatMap(
    ({ lastBlock }) => lastBlock ?? [],
  );
  await deleteBlocks(last?.number ?? 0);
  await forge(stolen);
  const { broken } = await bed.verify();
  expect(broken).toMatchObject({ reason: 'out-of-turn', block: (last?.number ?? 0) + 1 });
});

test('[audit-turn-3] nor make the whole chain anew with it, however short it is', async () => {
  const stolen = await steal('current');
  await bed.rotate();
  await deleteBlocks(0);
  await forge(stolen);
  const { broken } = await bed.verify();
  expect(broken).toMatchObject({ reason: 'missing', block: 2 });
});

test('[audit-turn-4] whoever has stolen the next key cannot sign with it before it is announced', async () => {
  await bed.secrets.signingKeys('audit').prepare(new Date());
  await forge(await steal('next'));
  expect(await bed.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
});

test('[audit-turn-5] a writer of the database cannot announce a key of his own', async () => {
  const own = { keyId: 'ffff', publicKey: Buffer.alloc(32, 9).toString('base64url') };
  await inTransaction(bed.test.database, (tx) =>
    recordAudit(tx, [{ type: 'audit-trail.key-announced', actor: systemActor, data: own }]),
  );
  await bed.rotate();
  await bed.seal();
  expect(await bed.verify()).toMatchObject({ broken: null });
});
