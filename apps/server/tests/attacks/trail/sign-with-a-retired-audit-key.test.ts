import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeysOf } from '../../../src/audit-trail/audit-signer.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { AuditRotationFixture } from '../../support/audit/audit-rotation-fixture.ts';
import { forgeBlock, stealAuditKey } from '../../support/audit/stolen-audit-key.ts';
import { tamperWithTrail } from '../../support/audit/tamper-with-trail.ts';

let setup: AuditRotationFixture;
beforeEach(async () => {
  setup = await AuditRotationFixture.open();
});
afterEach(() => setup[Symbol.asyncDispose]());

const deleteBlocks = (after: number): Promise<void> =>
  tamperWithTrail(setup.test, 'delete from audit_block where number > $1', [after]);

test('a thief of a retired key cannot add a block after the switch', async () => {
  const stolen = await stealAuditKey(setup, 'current');
  await setup.rotate();
  await setup.seal();
  await forgeBlock(setup, stolen);
  expect(await setup.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
  await expect(setup.seal()).rejects.toMatchObject({ reason: 'unsigned' });
});

test('nor recreate all blocks since the switch with it', async () => {
  const stolen = await stealAuditKey(setup, 'current');
  await setup.rotate();
  await setup.seal();
  const [last] = auditKeysOf(setup.secrets.signingKeys('audit')).flatMap(
    ({ lastBlock }) => lastBlock ?? [],
  );
  await deleteBlocks(last?.number ?? 0);
  await forgeBlock(setup, stolen);
  const { broken } = await setup.verify();
  expect(broken).toMatchObject({ reason: 'out-of-turn', block: (last?.number ?? 0) + 1 });
});

test('nor recreate the whole chain with it, however short it is', async () => {
  const stolen = await stealAuditKey(setup, 'current');
  await setup.rotate();
  await deleteBlocks(0);
  await forgeBlock(setup, stolen);
  const { broken } = await setup.verify();
  expect(broken).toMatchObject({ reason: 'missing', block: 2 });
});

test('a thief of the next key cannot sign with it before it is announced', async () => {
  await setup.secrets.signingKeys('audit').prepare(new Date());
  await forgeBlock(setup, await stealAuditKey(setup, 'next'));
  expect(await setup.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
});

test('a writer of the database cannot announce their own key', async () => {
  const own = { keyId: 'ffff', publicKey: Buffer.alloc(32, 9).toString('base64url') };
  await inTransaction(setup.test.database, (tx) =>
    recordAudit(tx, [{ type: 'audit-trail.key-announced', actor: systemActor, data: own }]),
  );
  await setup.rotate();
  await setup.seal();
  expect(await setup.verify()).toMatchObject({ broken: null });
});
