import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentTestRunner } from '../../../src/documents/run-document-test.ts';
import { testDocument } from '../../../src/documents/test-document.ts';
import type { Viewer } from '../../../src/platform/viewer.ts';
import {
  createCommandFixture,
  origin,
  viewerWith,
  type CommandFixture,
} from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
});
afterAll(() => db[Symbol.asyncDispose]());

const content = `schemaVersion: '2.2'\nmainSteps:\n  - action: aws:runShellScript\n    name: say\n    inputs: { runCommand: ['true'] }\n`;

test('a user who tests many documents concurrently leaves capacity for others', async () => {
  const begun: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const attempt = (viewer: Viewer, name: string) => {
    const runDocumentTest = async () => {
      begun.push(name);
      await released;
      return { events: [], changes: [], truncated: false };
    };
    return testDocument({ ...fixture.deps, runDocumentTest }, viewer, {
      ...{ name, content, version: null, phasesText: '', parameters: {} },
      ...{ model: 'K200', fault: null, undo: false, origin },
    });
  };
  const [greedy, other] = [viewerWith('Operator'), viewerWith('Operator')];
  const many = ['one', 'two', 'three', 'four'].map((name) => attempt(greedy, name));
  await expect.poll(() => begun).toHaveLength(1);
  await setImmediate();
  const single = attempt(other, 'other');
  await expect.poll(() => begun).toHaveLength(2);
  expect(begun).toContain('other');
  release();
  await Promise.all([...many, single]);
  expect(begun).toHaveLength(5);
});

test('a dry run that repeats a long value cannot fill the memory of the server', async () => {
  const program = join(import.meta.dirname, '../../../../agent/src/fleet/document-test/main.ts');
  const long = `schemaVersion: '2.2'
parameters:
  word: { type: String, default: '${'x'.repeat(30_000)}' }
mainSteps:
  - action: aws:runShellScript
    name: say
    inputs: { runCommand: ['echo ${'{{ word }} '.repeat(500)}'] }
`;
  const documentTest = testDocument(
    { ...fixture.deps, runDocumentTest: createDocumentTestRunner(program) },
    viewerWith('Operator'),
    {
      ...{ name: 'long', content: long, version: null, phasesText: '', parameters: {} },
      ...{ model: 'K200', fault: null, undo: false, origin },
    },
  );
  await expect(documentTest).rejects.toMatchObject({
    ...{ code: 4000, facts: { reason: 'output exceeds 4 MiB' } },
  });
});
