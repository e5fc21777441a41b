import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invocationLayout } from '../../src/evidence/layouts/invocation-layout.ts';
import { runLayout } from '../../src/evidence/layouts/run-layout.ts';
import { listInvocations } from '../../src/commands/invocations/list-invocations.ts';
import { testSigner } from '../support/audit/audit-signer.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createEvidenceFixture,
  exportedRows,
  runChecker,
  unpackIn,
  type EvidenceFixture,
} from '../support/reports/evidence-fixture.ts';

let test: TestDatabase;
let fixture: EvidenceFixture;
let devices: string[];
let runId: string;
let keys: string;
const support = viewerWith('Support');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createEvidenceFixture(test);
  devices = await seedDevices(test.database, [
    { serialNumber: 'SNEV1' },
    { serialNumber: 'SNEV2' },
  ]);
  runId = await fixture.run(support, devices);
  keys = join(fixture.folder, 'keys.json');
  await writeFile(keys, JSON.stringify(testSigner.trustedKeys));
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

describe('a proof', () => {
  it('is checked by the program in its archive, by a recipient without the portal', async () => {
    const parts = await fixture.proof(support, runId);
    expect(exportedRows(parts)).toContain('command.requested');
    expect(Buffer.from(parts.get('README.txt') ?? []).toString()).toContain('node checker.mjs');
    const place = await unpackIn(fixture.folder, parts);
    expect(await runChecker(place, ['--keys', keys])).toMatchObject({ code: 0 });
    const { code, output } = await runChecker(place);
    expect(code).toBe(2);
    expect(output).toContain('Not compared: the signing keys.');
  });

  it('fails if a byte of the export, the manifest, or the proof is changed', async () => {
    const parts = await fixture.proof(support, runId);
    for (const ending of ['.csv', '.manifest.json', '.proof.jsonl']) {
      const place = await unpackIn(fixture.folder, parts);
      const [name = ''] = (await readdir(place)).filter((each) => each.endsWith(ending));
      const content = await readFile(join(place, name));
      const at = Math.floor(content.length / 2);
      content[at] = (content[at] ?? 0) ^ 1;
      await writeFile(join(place, name), content);
      const { code, output } = await runChecker(place, ['--keys', keys]);
      expect(code, output).toBe(1);
    }
  });

  it('fails with keys of another installation', async () => {
    const place = await unpackIn(fixture.folder, await fixture.proof(support, runId));
    const [key] = testSigner.trustedKeys;
    const other = join(fixture.folder, 'other.json');
    const publicKey = Buffer.alloc(32, 9).toString('base64url');
    await writeFile(other, JSON.stringify([{ ...key, publicKey }]));
    expect((await runChecker(place, ['--keys', other])).code).toBe(3);
  });
});

describe('a report', () => {
  it('contains the result on one device and its audit events, in both languages', async () => {
    const { rows } = await listInvocations(fixture.deps, support, {
      ...{ runId, deviceId: devices[0] ?? null, states: [], pageSize: 10, cursor: null },
    });
    const report = { id: rows[0]?.id ?? '', kind: 'invocation', layOut: invocationLayout } as const;
    const english = await fixture.reportText(support, { ...report, language: 'en' });
    expect(english).toContain('Result of logs/tail on SNEV1');
    expect(english).toContain('Command requested');
    expect(english).not.toContain('SNEV2');
    expect(await fixture.reportText(support, { ...report, language: 'zh-CN' })).toContain(
      '审计事件',
    );
  });

  it('contains all devices of a run that the viewer sees', async () => {
    const report = { id: runId, kind: 'run', layOut: runLayout, language: 'en' } as const;
    const text = await fixture.reportText(support, report);
    expect(text).toContain('SNEV1');
    expect(text).toContain('SNEV2');
  });
});
