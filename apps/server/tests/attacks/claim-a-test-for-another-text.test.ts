import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocument } from '../../src/documents/create-document.ts';
import { testDocument } from '../../src/documents/test-document.ts';
import {
  createCommandFixture,
  origin,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const textOf = (command: string) =>
  `schemaVersion: '2.2'\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['${command}'] }\n`;
const author = viewerWith('Administrator');

let db: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

async function recorded(of: { name: string; version: number | null; content: string }) {
  const requestId = randomUUID();
  const runDocumentTest = async () => ({ events: [], changes: [], truncated: false });
  await testDocument({ ...fixture.deps, runDocumentTest }, author, {
    ...{ ...of, phasesText: '', parameters: {}, model: 'K200', fault: null, undo: false },
    origin: { ...origin, requestId },
  });
  const { rows } = await db.database.orm.execute<{ data: object }>(sql`
    select data from audit_event where type = 'document.tried' and request_id = ${requestId}`);
  return rows[0]?.data;
}

it('an author cannot record a test of a version in the trail that was run with another text', async () => {
  const [name, content] = ['acme-tried', textOf('true')];
  await createDocument(fixture.deps, author, {
    ...{ name, content, consequence: 'destroys', description: '', secretParameters: [] },
    ...{ labels: {}, note: '', origin },
  });
  const kept = { document: name, version: 1, draft: false };
  expect(await recorded({ name, version: 1, content })).toMatchObject(kept);
  const draft = { document: name, version: null, draft: true };
  expect(await recorded({ name, version: 1, content: textOf('rm -rf /') })).toMatchObject(draft);
  expect(await recorded({ name, version: 7, content })).toMatchObject(draft);
});

it('nor write free text into the trail as the name of a document', async () => {
  const name = 'Approved by the security team on Monday';
  const unnamed = { document: 'draft', version: null, draft: true };
  expect(await recorded({ name, version: null, content: textOf('true') })).toMatchObject(unnamed);
});
