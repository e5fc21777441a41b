import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { checkProof } from '@deviceportal/audit-proof/check-proof';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import {
  auditKeysOf,
  auditSignerOf,
  createAuditSigner,
  type AuditSigner,
  type AuditSigningKey,
} from '../../../src/audit-trail/audit-signer.ts';
import { exportAuditTrail } from '../../../src/audit-trail/export/export-audit-trail.ts';
import { handOverAuditKey } from '../../../src/audit-trail/hand-over-audit-key.ts';
import { proofTools } from '../../../src/audit-trail/export/proof-tools.ts';
import { announceAuditKey } from '../../../src/installation/announce-audit-key.ts';
import { endorsedBytes } from '../../../src/platform/secrets/signing-key.ts';
import { onlyHot } from '../../support/audit/audit-signer.ts';
import { origin, viewerWith } from '../../support/command-fixture.ts';
import { AuditRotationFixture } from '../../support/audit/audit-rotation-fixture.ts';
import { forgeBlock, stealAuditKey } from '../../support/audit/stolen-audit-key.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';

let setup: AuditRotationFixture;
let stolen: AuditSigningKey;
beforeEach(async () => {
  setup = await AuditRotationFixture.open();
  stolen = await stealAuditKey(setup, 'current');
});
afterEach(() => setup[Symbol.asyncDispose]());

/** An export signed with a key; its proof is checked with the keys of the newest checkpoint. */
async function checkExportBy(key: AuditSigningKey, further: readonly AuditKey[] = []) {
  const own = auditSignerOf(setup.secrets.signingKeys('audit'));
  const exportsDir = await mkdtemp(join(tmpdir(), 'dp-stolen-'));
  const auditSigner: AuditSigner = {
    ...own,
    trustedKeys: [...further, ...own.trustedKeys],
    keyAfter: async (before) => (before === undefined ? key : own.keyAfter(before)),
  };
  const { fileName } = await exportAuditTrail(
    {
      ...{ ...onlyHot(setup.test), clock: () => new Date(), auditSigner },
      exportFiles: createDirectoryFiles(exportsDir),
      signExportUrl: (name) => name,
    },
    viewerWith('Auditor'),
    { filter: auditFilterSchema.parse({ types: ['device.created'] }), format: 'csv', origin },
  );
  const text = await readFile(join(exportsDir, `${fileName}.proof.jsonl`), 'utf8');
  await rm(exportsDir, { recursive: true });
  return checkProof(text.trimEnd().split('\n'), proofTools, keys());
}

const keys = () => auditKeysOf(setup.secrets.signingKeys('audit'));

test('a copied signing key seals nothing after it is replaced', async () => {
  expect(await setup.replace()).toMatchObject({ kind: 'done' });
  await setup.seal();
  expect(await setup.verify()).toMatchObject({ broken: null });
  const { rows } = await setup.test.database.pool.query(
    `select data from audit_event where type = 'audit-trail.key-rotated'`,
  );
  expect(rows).toMatchObject([{ data: { from: stolen.keyId, stolen: true, lastBlock: 1 } }]);
  await forgeBlock(setup, stolen);
  expect(await setup.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
});

test('nor does the next key, which was stored in the same file, announced or not', async () => {
  await setup.secrets.signingKeys('audit').prepare(new Date());
  const next = await stealAuditKey(setup, 'next');
  await setup.replace();
  await setup.seal();
  expect(keys().map(({ id }) => id)).not.toContain(next.keyId);
  expect(keys()[0]).not.toHaveProperty('endorsement');
  await forgeBlock(setup, next);
  expect((await setup.verify()).broken).not.toBeNull();
});

test('a replacement that was killed continues with the key it has created', async () => {
  const ring = setup.secrets.signingKeys('audit');
  await ring.prepareApart(new Date());
  const made = ring.next?.keyId;
  await setup.replace();
  expect(ring.current.keyId).toBe(made);
  await setup.seal();
  expect(await setup.verify()).toMatchObject({ broken: null });
});

test('a thief cannot seal with the next key if a rotation was killed after the switch', async () => {
  const ring = setup.secrets.signingKeys('audit');
  const { database } = setup.test;
  await ring.prepare(new Date());
  await announceAuditKey(database, ring, await ring.prepare(new Date()));
  await setup.seal();
  const next = await stealAuditKey(setup, 'next');
  await handOverAuditKey({ database, signer: auditSignerOf(ring), clock: () => new Date() }, next);
  await setup.replace();
  await setup.seal();
  expect(await setup.verify()).toMatchObject({ broken: null });
  await forgeBlock(setup, next);
  expect(await setup.verify()).toMatchObject({ broken: { reason: 'out-of-turn' } });
});

test('nor sign an export of events sealed after the replacement', async () => {
  await setup.replace();
  await setup.seal();
  const honest = await checkExportBy(
    await auditSignerOf(setup.secrets.signingKeys('audit')).keyAfter(undefined),
  );
  expect(honest.fault).toBeNull();
  const { fault } = await checkExportBy(stolen);
  expect(fault).toMatchObject({ reason: 'out-of-turn' });
});

test('nor certify their own key before a checkpoint that contains the last block of the stolen key', async () => {
  await setup.rotate();
  await setup.seal();
  const own = createAuditSigner(Buffer.alloc(32, 66));
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), own.publicKey]);
  const signature = await stolen.sign(endorsedBytes('audit', spki));
  const endorsement = { by: stolen.keyId, signature: signature.toString('base64url') };
  const [key] = own.trustedKeys;
  if (key === undefined) throw new Error('the thief has no key');
  const { fault } = await checkExportBy(own, [{ ...key, endorsement }]);
  expect(fault).toMatchObject({ reason: 'foreign' });
});
