import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginAnchor } from '../../src/audit-trail/anchors/begin-anchor.ts';
import { deliverAnchors } from '../../src/audit-trail/anchors/deliver-anchors.ts';
import { createFileAnchor } from '../../src/audit-trail/anchors/file-anchor.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import { installationSigner, sealing } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { programEnv } from '../support/programs/program-env.ts';
import { commandFile } from '../support/programs/program-files.ts';

const command = commandFile('verify-audit');
let test: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  test = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'dp-verify-'));
  await inTransaction(test.database, (tx) =>
    recordAudit(
      tx,
      Array.from({ length: 5 }, (_, index) => ({
        type: 'device.created' as const,
        actor: systemActor,
        data: { index },
      })),
    ),
  );
  const signer = await installationSigner(dataDir);
  await sealAuditTrail({ ...sealing(test), signer });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function verify(...options: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...programEnv, DEVICEPORTAL_DATABASE_URL: test.url };
    const child = execFile(
      process.execPath,
      [command, ...options, '--data-dir', dataDir],
      { env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

it('[verify-2] a checkpoint is saved and found again, and the chain is compared with the anchor file', async () => {
  const [checkpoint, anchors] = [join(dataDir, 'checkpoint.json'), join(dataDir, 'anchors.jsonl')];
  const target = createFileAnchor(anchors);
  await beginAnchor(test.database.orm, target);
  await deliverAnchors({ ...test, clock: () => new Date(Date.now() + 1_000) }, target);
  const saved = await verify('--save-checkpoint', checkpoint, '--anchors', anchors);
  expect(saved.output).toContain('5 of them are in the database, 0 in files of archived months');
  expect(saved.output).toContain(`1 blocks match the anchor file ${anchors}.`);
  expect(saved.code).toBe(0);
  await writeFile(anchors, (await readFile(anchors, 'utf8')).replace(/"hash":"./, '"hash":"x'));
  const other = saved.output.includes('Head: 0') ? '1' : '0';
  await appendFile(
    anchors,
    (await readFile(anchors, 'utf8')).replace('"hash":"x', `"hash":"${other}`),
  );
  const rewritten = await verify(checkpoint, '--anchors', anchors);
  expect(rewritten.output).toContain('The block of the checkpoint is in the chain.');
  expect(rewritten.output).toContain('Fault: block 1 differs from its anchor');
  expect(rewritten.output).toContain(`Note: 1 lines of the anchor file ${anchors} are incomplete.`);
  expect(rewritten.code).toBe(1);
});

it('[verify-1] a whole trail: count and head, exit code 0; a changed event: the first fault, exit code 1', async () => {
  const { rows } = await test.database.pool.query<{ head: string }>(
    `select encode(hash, 'hex') as head from audit_block`,
  );
  const whole = await verify();
  expect(whole).toMatchObject({ code: 0 });
  expect(whole.output).toContain(
    `5 audit events in 1 blocks match their seals. Head: ${rows[0]?.head}`,
  );
  const { rows: parts } = await test.database.pool.query<{ name: string }>(
    "select tgrelid::regclass::text as name from pg_trigger where tgname = 'audit_event_append_only'",
  );
  for (const { name } of parts) {
    await test.owner.pool.query(`alter table ${name} disable trigger user`);
  }
  await test.owner.pool.query(`
    update audit_event set actor_name = 'somebody else'
    where id = any(array(select event_ids[3] from audit_block))`);
  const changed = await verify();
  expect(changed).toMatchObject({ code: 1 });
  expect(changed.output).toContain('2 audit events in 0 blocks match their seals.');
  expect(changed.output).toContain(
    'Fault at event 3: its content was changed after it was sealed.',
  );
});
