import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditKey } from '@deviceportal/audit-proof/audit-block';
import { checkProof, type ProofReport } from '@deviceportal/audit-proof/check-proof';
import { parseKeysFile } from '@deviceportal/audit-proof/keys-file';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import {
  auditKeysOf,
  auditSignerOf,
  createAuditSigner,
  type AuditSigner,
  type AuditSigningKey,
} from '../../src/audit-trail/audit-signer.ts';
import { exportAuditTrail } from '../../src/audit-trail/export/export-audit-trail.ts';
import { proofTools } from '../../src/audit-trail/export/proof-tools.ts';
import { AuditRotationFixture } from '../support/audit/audit-rotation-fixture.ts';
import { onlyHot } from '../support/audit/audit-signer.ts';
import { origin, viewerWith } from '../support/command-fixture.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

const filter = auditFilterSchema.parse({ types: ['device.created'] });
let setup: AuditRotationFixture;
let exportsDir: string;
/** As a checkpoint of before any rotation has it. */
let pinned: readonly AuditKey[];

beforeEach(async () => {
  setup = await AuditRotationFixture.open();
  exportsDir = await mkdtemp(join(tmpdir(), 'dp-endorsed-'));
  const keys = auditKeysOf(setup.secrets.signingKeys('audit'));
  pinned = parseKeysFile(JSON.stringify({ keys }), proofTools.sha256) ?? [];
  for (let rotation = 0; rotation < 2; rotation += 1) {
    await setup.rotate();
    await setup.seal();
  }
});
afterEach(async () => {
  await setup[Symbol.asyncDispose]();
  await rm(exportsDir, { recursive: true, force: true });
});

async function checkExportBy(
  auditSigner: AuditSigner,
  trusted: readonly AuditKey[] = pinned,
): Promise<ProofReport> {
  const exported = await exportAuditTrail(
    {
      ...{ ...onlyHot(setup.test), clock: () => new Date(), auditSigner },
      exportFiles: createDirectoryFiles(exportsDir),
      signExportUrl: (fileName) => fileName,
    },
    viewerWith('Auditor'),
    { filter, format: 'csv', origin },
  );
  const text = await readFile(join(exportsDir, `${exported.fileName}.proof.jsonl`), 'utf8');
  return checkProof(text.trimEnd().split('\n'), proofTools, trusted);
}

/** Seals as it is and signs exports with another key. */
const signingAs = (
  own: AuditSigner,
  { keyId, publicKey, sign }: AuditSigningKey,
  { trustedKeys }: Pick<AuditSigner, 'trustedKeys'>,
): AuditSigner => ({
  ...own,
  ...{ keyId, publicKey, sign, trustedKeys },
  keyAfter: async (before) =>
    before === undefined ? { keyId, publicKey, sign } : own.keyAfter(before),
});

const signer = (): AuditSigner => auditSignerOf(setup.secrets.signingKeys('audit'));

test('a checkpoint from before two rotations verifies a later export', async () => {
  const { fault, keys } = await checkExportBy(signer());
  expect(fault).toBeNull();
  expect(keys).toHaveLength(3);
});

test('a missing key in the middle of the chain is a fault', async () => {
  const own = signer();
  const [newest, , first] = own.trustedKeys;
  const without = { ...own, trustedKeys: [newest, first] as readonly AuditKey[] };
  expect(await checkExportBy(without)).toMatchObject({ fault: { reason: 'foreign' } });
});

test('an export cannot add a trusted key', async () => {
  const own = signer();
  const foreign = createAuditSigner(Buffer.alloc(32, 66));
  const [key] = foreign.trustedKeys as [AuditKey];
  const endorsements = [
    own.trustedKeys[0]?.endorsement,
    { by: pinned[0]?.id ?? '', signature: Buffer.alloc(64).toString('base64url') },
    { by: key.id, signature: (await foreign.sign(Buffer.from('x'))).toString('base64url') },
  ];
  for (const endorsement of endorsements) {
    const trustedKeys = [{ ...key, endorsement }, ...own.trustedKeys];
    const forged = signingAs(own, foreign, { trustedKeys });
    expect(await checkExportBy(forged)).toMatchObject({ fault: { reason: 'foreign' } });
    // Nor by taking the name of one that is trusted.
    const named = { ...key, id: pinned[0]?.id ?? '', endorsement };
    const posing = signingAs(
      own,
      { ...foreign, keyId: named.id },
      { trustedKeys: [named, ...own.trustedKeys] },
    );
    expect((await checkExportBy(posing)).fault).not.toBeNull();
  }
});
