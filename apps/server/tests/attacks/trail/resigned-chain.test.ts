import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuditSigner, type AuditSigner } from '../../../src/audit-trail/audit-signer.ts';
import { lastBlock } from '../../../src/audit-trail/data/sealing/block-queries.ts';
import { recordAudit, systemActor } from '../../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../../src/audit-trail/sealing/seal-audit-trail.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import { installationSigner, sealing } from '../../support/audit/audit-signer.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { programEnv } from '../../support/programs/program-env.ts';
import { commandFile } from '../../support/programs/program-files.ts';

const command = commandFile('verify-audit');
let test: TestDatabase;
let dataDir: string;
let own: AuditSigner;
/** Whoever holds this key builds on any chain. */
let foreign: AuditSigner;

beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'dp-resigned-'));
  own = await installationSigner(dataDir);
  foreign = createAuditSigner(Buffer.alloc(32, 66), own.trustedKeys);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function sealOneAs(signer: AuditSigner): Promise<void> {
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
  );
  expect(await sealAuditTrail({ ...sealing(test), signer })).toBe(1);
}

/** The newest block with keys, as the portal saves them. */
async function saveCheckpoint(name: string, { trustedKeys }: AuditSigner): Promise<string> {
  const path = join(dataDir, name);
  const block = await lastBlock(test.database.orm);
  await writeFile(path, JSON.stringify({ block, keys: trustedKeys }));
  return path;
}

function verify(words: readonly string[] = []): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...programEnv, DEVICEPORTAL_DATABASE_URL: test.url };
    const args = [command, ...words, '--data-dir', dataDir];
    const child = execFile(process.execPath, args, { env }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, output: out + errors }),
    );
  });
}

it('a writer of the database cannot have blocks of a foreign key accepted by adding that key to the key table', async () => {
  await sealOneAs(own);
  expect(await verify()).toMatchObject({ code: 0 });
  const earlier = await saveCheckpoint('earlier.json', own);
  await sealOneAs(foreign);
  for (const words of [[], [earlier]]) {
    const { code, output } = await verify(words);
    expect(output).toContain('1 audit events in 1 blocks match their seals.');
    expect(output).toContain('Fault at event 2: its block is not signed by a key of');
    expect(code).toBe(1);
  }
});

it('a checkpoint cannot bring its own key: one that no trusted key signed is a fault', async () => {
  const { code, output } = await verify([await saveCheckpoint('forged.json', foreign)]);
  expect(output).toContain('is not signed by a key of this installation');
  expect(code).toBe(1);
});

it('the installation does not put its signature on top of a block that a foreign key signed', async () => {
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [{ type: 'device.created', actor: systemActor }]),
  );
  const before = await lastBlock(test.database.orm);
  await expect(sealAuditTrail({ ...sealing(test), signer: own })).rejects.toMatchObject({
    name: 'SealStopped',
    reason: 'unsigned',
    block: before?.number,
  });
  expect(await lastBlock(test.database.orm)).toEqual(before);
});

it('a key of an earlier installation is accepted where a file that was kept elsewhere names it', async () => {
  const { code, output } = await verify(['--keys', await saveCheckpoint('kept.json', foreign)]);
  expect(output).toContain(foreign.keyId);
  // What waits since the last test is not sealed yet, and not overdue.
  expect(code).toBe(0);
});
