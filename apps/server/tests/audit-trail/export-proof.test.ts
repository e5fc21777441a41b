import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkProof } from '@deviceportal/audit-proof/check-proof';
import type { ProofLine } from '@deviceportal/audit-proof/proof-lines';
import { auditFilterSchema } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import type { AuditTrailDeps } from '../../src/audit-trail/audit-trail-deps.ts';
import { exportAuditTrail } from '../../src/audit-trail/export/export-audit-trail.ts';
import { proofTools } from '../../src/audit-trail/export/proof-tools.ts';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { onlyHot, sealAll, testSigner } from '../support/audit/audit-signer.ts';
import { may, origin, viewerHolding, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';
import { commandFile } from '../support/programs/program-files.ts';

const command = commandFile('check-export');
const ana = { kind: 'user', id: newId(), name: 'ana@example.com', address: '192.0.2.1' } as const;
const filter = auditFilterSchema.parse({ types: ['device.created'] });
let test: TestDatabase;
let deps: AuditTrailDeps;
let exportsDir: string;
let file = '';
let lines: readonly string[] = [];

/** Every third event matches the filter: most blocks are proven by a few of their events. */
beforeAll(async () => {
  test = await createTestDatabase();
  exportsDir = await mkdtemp(join(tmpdir(), 'proofs-'));
  deps = {
    ...onlyHot(test),
    clock: () => new Date(),
    auditSigner: testSigner,
    exportFiles: createDirectoryFiles(exportsDir),
    signExportUrl: (fileName) => fileName,
  };
  await inTransaction(test.database, (tx) =>
    recordAudit(
      tx,
      Array.from({ length: 90 }, (_, index) => ({
        type: index % 3 === 0 ? ('device.created' as const) : ('device.updated' as const),
        actor: ana,
        data: { index, price: 1.5, text: 'é "x"' },
      })),
    ),
  );
  await sealAll(test, 20);
  const made = await exportAuditTrail(deps, viewerWith('Auditor'), {
    filter,
    format: 'csv',
    origin,
  });
  file = join(exportsDir, made.fileName);
  lines = (await readFile(join(exportsDir, made.proofName), 'utf8')).trimEnd().split('\n');
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(exportsDir, { recursive: true, force: true });
});

const check = (changed: readonly string[]) =>
  checkProof(changed, proofTools, testSigner.trustedKeys);

it('an export proves each of its events in a signed block', async () => {
  expect(await check(lines)).toMatchObject({
    fault: null,
    events: 30,
    blocks: 5,
    unproven: { masked: 0, unsealed: 0 },
    manifest: { count: 30, filter: { types: ['device.created'] } },
    keys: [{ id: testSigner.keyId }],
  });
});

it('each changed character is detected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), async (lineAt, at) => {
      const line = lines[lineAt % lines.length]!;
      const place = at % line.length;
      const other = line[place] === 'a' ? 'b' : 'a';
      const changed = line.slice(0, place) + other + line.slice(place + 1);
      const { fault } = await check(lines.with(lineAt % lines.length, changed));
      expect(fault, changed.slice(Math.max(0, place - 20), place + 20)).not.toBeNull();
    }),
    { numRuns: 200 },
  );
});

it('detects another encoding of the same signature', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (const at of [1, lines.length - 1]) {
    // 64 bytes leave four bits of the last character unused.
    const changed = lines[at]!.replace(
      /(?<="signature":"[\w-]{85})[\w-](?=")/,
      (last) => alphabet[alphabet.indexOf(last) + 1]!,
    );
    expect(changed).not.toBe(lines[at]);
    expect((await check(lines.with(at, changed))).fault).not.toBeNull();
  }
});

it('a missing, duplicated, or moved line is detected', async () => {
  for (let at = 0; at < lines.length; at += 1) {
    expect((await check(lines.toSpliced(at, 1))).fault).not.toBeNull();
    expect((await check(lines.toSpliced(at, 0, lines[at]!))).fault).not.toBeNull();
    if (at === 0) continue;
    const moved = lines.with(at, lines[at - 1]!).with(at - 1, lines[at]!);
    expect((await check(moved)).fault).not.toBeNull();
  }
});

it('a forged event in a forged block is not signed', async () => {
  const line = JSON.parse(lines[1]!) as Extract<ProofLine, { kind: 'block' }>;
  const swapped = { ...line, events: line.events.toReversed().map(([, event], at) => [at, event]) };
  expect((await check(lines.with(1, JSON.stringify(swapped)))).fault).toEqual({
    line: 2,
    reason: 'not-sealed',
  });
  const signature = Buffer.alloc(64, 1).toString('base64url');
  const forged = { ...line, block: { ...line.block, signature } };
  expect((await check(lines.with(1, JSON.stringify(forged)))).fault).toEqual({
    line: 2,
    reason: 'unsigned',
  });
});

it('masked events are not in the proof and are counted as unproven', async () => {
  const masked = viewerHolding([may(['audit-trail:read', 'audit-trail:export'])]);
  const made = await exportAuditTrail(deps, masked, { filter, format: 'json', origin });
  const text = await readFile(join(exportsDir, made.proofName), 'utf8');
  expect(text).not.toContain('ana@');
  expect(await check(text.trimEnd().split('\n'))).toMatchObject({
    fault: null,
    events: 0,
    unproven: { masked: 30, unsealed: 0 },
  });
});

it('an event that was changed in the database after sealing cannot be proven', async () => {
  await test.owner.pool.query(`
    create table tampered as select * from audit_event where data->>'index' = '3';
    alter table audit_event disable trigger user`);
  const { rows } = await test.owner.pool.query<{ part: string }>(
    'select tableoid::regclass::text as part from audit_event limit 1',
  );
  const part = rows[0]?.part;
  await test.owner.pool.query(`
    alter table ${part} disable trigger user;
    update audit_event set actor_name = 'bob' where data->>'index' = '3'`);
  const made = await exportAuditTrail(deps, viewerWith('Auditor'), {
    filter,
    format: 'csv',
    origin,
  });
  const text = await readFile(join(exportsDir, made.proofName), 'utf8');
  expect((await check(text.trimEnd().split('\n'))).fault).toEqual({
    line: 2,
    reason: 'not-sealed',
  });
});

async function checkExport(path: string): Promise<{ code: number; output: string }> {
  const keys = join(exportsDir, 'keys.json');
  await writeFile(keys, JSON.stringify(testSigner.trustedKeys));
  return new Promise((resolve) => {
    const args = [command, path, '--keys', keys];
    const child = execFile(process.execPath, args, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

it('the command verifies a proof without a server, and detects another file next to it', async () => {
  const whole = await checkExport(file);
  expect(whole.output).toContain('30 events in 5 blocks match their seals.');
  expect(whole.output).toContain('is unchanged since the export.');
  expect(whole.code).toBe(0);
  await writeFile(file, (await readFile(file, 'utf8')).replace('device.created', 'device.retired'));
  const changed = await checkExport(file);
  expect(changed.output).toContain('was changed after the export.');
  expect(changed.code).toBe(1);
});
