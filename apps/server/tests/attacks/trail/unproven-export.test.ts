import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditFilterSchema, type AuditExport } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import { createAuditSigner } from '../../../src/audit-trail/audit-signer.ts';
import type { AuditTrailDeps } from '../../../src/audit-trail/audit-trail-deps.ts';
import { exportAuditTrail } from '../../../src/audit-trail/export/export-audit-trail.ts';
import { recordAudit } from '../../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { onlyHot, sealAll, testSigner } from '../../support/audit/audit-signer.ts';
import { may, origin, viewerHolding, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../../src/platform/files/directory-files.ts';
import { commandFile } from '../../support/programs/program-files.ts';

const command = commandFile('check-export');
const ana = { kind: 'user', id: newId(), name: 'ana@example.com', address: '192.0.2.1' } as const;
const filter = auditFilterSchema.parse({ types: ['device.created'] });
let test: TestDatabase;
let deps: AuditTrailDeps;
let exportsDir: string;

beforeAll(async () => {
  test = await createTestDatabase();
  exportsDir = await mkdtemp(join(tmpdir(), 'unproven-'));
  deps = {
    ...onlyHot(test),
    clock: () => new Date(),
    auditSigner: testSigner,
    exportFiles: createDirectoryFiles(exportsDir),
    signExportUrl: (fileName) => fileName,
  };
  const events = Array.from({ length: 6 }, (_, index) => ({
    type: 'device.created' as const,
    actor: ana,
    data: { index },
  }));
  await inTransaction(test.database, (tx) => recordAudit(tx, events));
  await sealAll(test);
  await writeFile(pathOf('keys.json'), JSON.stringify(testSigner.trustedKeys));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(exportsDir, { recursive: true, force: true });
});

const exportAs = (viewer: Viewer = viewerWith('Auditor')): Promise<AuditExport> =>
  exportAuditTrail(deps, viewer, { filter, format: 'csv', origin });
const pathOf = (fileName: string): string => join(exportsDir, fileName);

async function edit(fileName: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(pathOf(fileName), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(pathOf(fileName), changed);
}

function check(
  fileName: string,
  options: readonly string[] = ['--keys', pathOf('keys.json')],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const args = [command, pathOf(fileName), ...options];
    const child = execFile(process.execPath, args, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, output: out + errors }),
    );
  });
}

it('an untouched export with its manifest and its proof is compared as a whole', async () => {
  const { fileName } = await exportAs();
  const { code, output } = await check(fileName);
  expect(output).toContain(`${fileName} is unchanged since the export.`);
  expect(output).toContain(`${fileName}.manifest.json is unchanged since the export.`);
  expect(code).toBe(0);
});

it('a forger cannot pass off a forged export with the proof of another one', async () => {
  const [forged, other] = [await exportAs(), await exportAs()];
  await edit(forged.fileName, (text) => text.replaceAll('ana@example.com', 'bob@example.com'));
  await copyFile(pathOf(other.proofName), pathOf(forged.proofName));
  const { code, output } = await check(forged.fileName);
  expect(output).toContain(
    `Fault: The proof belongs to ${other.fileName}, not to ${forged.fileName}.`,
  );
  expect(code).toBe(1);
  expect((await check(forged.proofName)).code).toBe(1);
});

it.each([
  ['change', (text: string) => text.replace('Auditor', 'Someone else').replace('"csv"', '"CSV"')],
  ['reformat', (text: string) => JSON.stringify(JSON.parse(text))],
])('a forger cannot %s the manifest of an export unnoticed', async (_name, change) => {
  const { fileName } = await exportAs();
  await edit(`${fileName}.manifest.json`, change);
  const { code, output } = await check(fileName);
  expect(output).toContain(`Fault: ${fileName}.manifest.json was changed after the export.`);
  expect(code).toBe(1);
});

it.each([
  ['reorder', ([header, one, two, ...rest]: string[]) => [header, two, one, ...rest]],
  ['remove', ([header, _one, ...rest]: string[]) => [header, ...rest]],
  ['repeat', ([header, one, ...rest]: string[]) => [header, one, one, ...rest]],
])('a forger cannot %s rows of an export unnoticed', async (_name, change) => {
  const { fileName } = await exportAs();
  await edit(fileName, (text) => change(text.split('\r\n')).join('\r\n'));
  const { code, output } = await check(fileName);
  expect(output).toContain(`Fault: ${fileName} was changed after the export.`);
  expect(code).toBe(1);
});

it.each([
  ['the export', ''],
  ['the manifest', '.manifest.json'],
])('a check cannot succeed where %s was deleted', async (_name, suffix) => {
  const { fileName } = await exportAs();
  await rm(pathOf(`${fileName}${suffix}`));
  const { code, output } = await check(fileName);
  expect(output).toContain(`Not compared: ${fileName}${suffix} was not found next to the proof.`);
  expect(code).toBe(2);
});

it('a check cannot succeed where the digest of the manifest was removed from the proof', async () => {
  const { fileName, proofName } = await exportAs();
  await edit(proofName, (text) => text.replace(/,"manifestSha256":"[0-9a-f]{64}"/, ''));
  expect((await check(fileName)).code).toBe(1);
});

it('a check cannot succeed where events were masked and therefore not compared', async () => {
  const masked = viewerHolding([may(['audit-trail:read', 'audit-trail:export'])]);
  const { fileName } = await exportAs(masked);
  const { code, output } = await check(fileName);
  expect(output).toContain('Not compared: 6 events were exported with masked values.');
  expect(code).toBe(2);
});

it('a forger cannot pass off an export that a key of their own signed', async () => {
  const forger = createAuditSigner(Buffer.alloc(32, 66));
  await writeFile(pathOf('forger.json'), JSON.stringify(forger.trustedKeys));
  const { fileName } = await exportAs();
  const { code, output } = await check(fileName, ['--keys', pathOf('forger.json')]);
  expect(output).toContain('is signed by a key that is not among the trusted keys');
  expect(code).toBe(3);
});

it('a check cannot succeed where no keys were kept elsewhere to compare with', async () => {
  const { fileName } = await exportAs();
  const { code, output } = await check(fileName, []);
  expect(output).toContain('Not compared: the signing keys.');
  expect(code).toBe(2);
});
