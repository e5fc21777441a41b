import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocument } from '../../../src/documents/create-document.ts';
import { publishVersion } from '../../support/publish-document.ts';
import { recordAudit } from '../../../src/audit-trail/record-audit.ts';
import { exportReport } from '../../../src/evidence/export-report.ts';
import { runLayout } from '../../../src/evidence/layouts/run-layout.ts';
import { runCommand } from '../../../src/commands/run-command.ts';
import { inTransaction } from '../../../src/platform/database/database.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { origin, runInput, seedDevices, viewerWith } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import {
  createEvidenceFixture,
  exportedRows,
  type EvidenceFixture,
} from '../../support/reports/evidence-fixture.ts';

let test: TestDatabase;
let fixture: EvidenceFixture;
let german: string;
let french: string;
const support = viewerWith('Support');
const colleague = viewerWith('Support');
const auditor = viewerWith('Auditor');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createEvidenceFixture(test);
  [german = '', french = ''] = await seedDevices(test.database, [
    { serialNumber: 'SN-SEEN', country: 'DE' },
    { serialNumber: 'SN-UNSEEN', country: 'FR' },
  ]);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

const inGermany = (viewer: Viewer): Viewer => ({
  ...viewer,
  grants: viewer.grants.map((grant) => ({
    ...grant,
    scope: { countries: ['DE'], models: [], labels: {} },
  })),
});

describe('without the permission to export the audit trail', () => {
  it('the proof of what another user ran is refused', async () => {
    const runId = await fixture.run(colleague, [german]);
    await expect(fixture.proof(support, runId)).rejects.toMatchObject({
      code: 1000,
      facts: { permission: 'audit-trail:export' },
    });
    expect(exportedRows(await fixture.proof(auditor, runId))).toContain('command.requested');
  });

  it('the proof of an own run contains nothing that another user did with it', async () => {
    const runId = await fixture.run(support, [german]);
    const actor = { kind: 'user', id: colleague.userId, name: 'colleague', address: null } as const;
    await inTransaction(test.database, (tx) =>
      recordAudit(tx, [{ type: 'command.paused', actor, runId, data: { runId } }]),
    );
    expect(exportedRows(await fixture.proof(auditor, runId))).toContain('command.paused');
    const own = exportedRows(await fixture.proof(support, runId));
    expect(own).toContain('command.requested');
    expect(own).not.toContain('command.paused');
    expect(own).not.toContain('colleague');
  });
});

describe('with a scope', () => {
  it('a run on devices out of scope only does not exist', async () => {
    const runId = await fixture.run(support, [french]);
    await expect(fixture.proof(inGermany(auditor), runId)).rejects.toMatchObject({ code: 5000 });
    const report = { id: runId, kind: 'run', layOut: runLayout, language: 'en' } as const;
    await expect(
      exportReport(
        fixture.deps,
        { viewer: inGermany(support), ...origin },
        { ...report, paper: 'a4' },
      ),
    ).rejects.toMatchObject({ code: 5000 });
  });

  it('neither the events nor the number of hidden devices of a run are in its proof', async () => {
    const runId = await fixture.run(support, [german, french]);
    for (const deviceId of [german, french]) {
      const actor = { kind: 'device', id: deviceId, name: 'device', address: null } as const;
      await inTransaction(test.database, (tx) =>
        recordAudit(tx, [{ type: 'command.finished', actor, runId, deviceId, data: { runId } }]),
      );
    }
    const parts = await fixture.proof(inGermany(auditor), runId);
    expect(exportedRows(parts)).toContain('SN-SEEN');
    for (const [name, content] of parts) {
      if (name === 'checker.mjs') continue;
      const text = Buffer.from(content).toString();
      expect(text, name).not.toContain('SN-UNSEEN');
      expect(text, name).not.toContain(french);
      expect(text, name).not.toMatch(/"targets":2/);
    }
  });
});

it('a secret parameter is in no part of the evidence, nor in the metadata of the PDF', async () => {
  const secret = 'correct-horse-4711';
  const administrator = viewerWith('Administrator');
  await createDocument(fixture.deps, administrator, {
    ...{ name: 'acme-join', description: '', consequence: 'changes', labels: {}, note: '', origin },
    secretParameters: ['passphrase'],
    content:
      'schemaVersion: "2.2"\nparameters:\n  name: { type: String }\n  passphrase: { type: String }\nmainSteps:\n  - action: aws:runShellScript\n    name: join\n    inputs: { runCommand: ["true"] }\n',
  });
  await publishVersion(fixture.deps, administrator, { name: 'acme-join', version: 1 });
  const { id } = await runCommand(
    fixture.deps,
    administrator,
    runInput({
      ...{ command: 'document', document: 'acme-join' },
      target: { kind: 'devices', deviceIds: [german] },
      parameters: { name: 'guest', passphrase: secret },
    }),
  );
  const { fileName } = await exportReport(
    fixture.deps,
    { viewer: administrator, ...origin },
    { id, kind: 'run', layOut: runLayout, language: 'en', paper: 'a4' },
  );
  const pdf = await getDocumentProxy(new Uint8Array(await fixture.readFile(fileName)));
  const { text } = await extractText(pdf, { mergePages: true });
  const { info, metadata } = await pdf.getMetadata();
  const parts = await fixture.proof(administrator, id);
  expect(text).toContain('guest');
  const all = [text, JSON.stringify(info), metadata?.getRaw(), ...parts.values()];
  for (const each of all) expect(Buffer.from(each ?? '').includes(secret)).toBe(false);
});
