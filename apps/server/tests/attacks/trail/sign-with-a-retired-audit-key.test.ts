import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeysOf } from '../../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { AuditRotationBed } from '../../support/audit/audit-rotation-bed.ts';
import { forgeBlock, stealAuditKey } from '../../support/audit/stolen-audit-key.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';

let bed: AuditRotationBed;
beforeEach(async () => {
  bed = await AuditRotationBed.open();
});
afterEach(() => bed[Symbol.asyncDispose]());

const deleteBlocks = (after: number): Promise<void> =>
  tamperWithTrail(bed.test, 'delete from audit_block where number > $1', [after]);

test('[audit-turn-1] whoever has stolen a retired key cannot add a block after the hand-over', async () => {
  const stolen = await stealAuditKey(bed, 'current');
  await bed.rotate();
  await bed.seal();
  await forgeBlock(bed, stolen);
  expect(await bed.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
  await expect(bed.seal()).rejects.toMatchObject({ reason: 'unsigned' });
});

test('[audit-turn-2] nor make all blocks since the hand-over anew with it', async () => {
  const stolen = await stealAuditKey(bed, 'current');
  await bed.rotate();
  await bed.seal();
  const [last] = auditKeysOf(bed.secrets.signingKeys('audit')).flatMap(
    ({ lastBlock }) => lastBlock ?? [],
  );
  await deleteBlocks(last?.number ?? 0);
  await forgeBlock(bed, stolen);
  const { broken } = await bed.verify();
  expect(broken).toMatchObject({ reason: 'out-of-turn', block: (last?.number ?? 0) + 1 });
});

test('[audit-turn-3] nor make the whole chain anew with it, however short it is', async () => {
  const stolen = await stealAuditKey(bed, 'current');
  await bed.rotate();
  await deleteBlocks(0);
  await forgeBlock(bed, stolen);
  const { broken } = await bed.verify();
  expect(broken).toMatchObject({ reason: 'missing', block: 2 });
});

test('[audit-turn-4] whoever has stolen the next key cannot sign with it before it is announced', async () => {
  await bed.secrets.signingKeys('audit').prepare(new Date());
  await forgeBlock(bed, await stealAuditKey(bed, 'next'));
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
