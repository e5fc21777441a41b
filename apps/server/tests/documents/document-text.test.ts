import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { builtinConsequences } from '../../src/commands/catalog/builtin-commands.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { exportDocument } from '../../src/documents/export-document.ts';
import { getDocumentVersion } from '../../src/documents/get-document-version.ts';
import { loadBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { requireValidDocument } from '../../src/documents/validate-document.ts';
import {
  createCommandFixture,
  origin,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let test: TestDatabase;
let fixture: CommandFixture;
const operator = viewerWith('Operator');
beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(() => test[Symbol.asyncDispose]());

const script = 'echo "it is: 5 #1"\n\n  indented {{ zulu }}   \necho done';
const asJson = `{
  "schemaVersion": "2.2",
  "description": "yes: no",
  "parameters": {
    "zulu": { "type": "String", "default": "on" },
    "alpha": { "type": "StringMap", "default": { "b": "1", "a": "2" } },
    "mike": { "type": "Integer", "default": 7 }
  },
  "mainSteps": [
    { "action": "aws:runShellScript", "name": "say", "inputs": { "runCommand": [${JSON.stringify(script)}] } },
    { "action": "aws:downloadContent", "name": "get",
      "inputs": { "sourceType": "HTTP", "sourceInfo": "{}", "sha256": "ab" } }
  ]
}`;

async function create(name: string, content: string): Promise<void> {
  await createDocument(fixture.deps, operator, {
    name,
    description: '',
    consequence: 'reads',
    secretParameters: [],
    labels: {},
    content,
    note: '',
    origin,
  });
}
const exported = (name: string, format: 'JSON' | 'YAML' | null) =>
  exportDocument(fixture.deps, { name, version: null, format });

it('parameters keep the order in which they were written', async () => {
  await create('acme-order', asJson);
  const { parameters } = await getDocumentVersion(fixture.deps, operator, {
    name: 'acme-order',
    version: 1,
  });
  expect(Object.keys(parameters)).toEqual(['zulu', 'alpha', 'mike']);
  expect(Object.keys(parameters['alpha']?.default as object)).toEqual(['b', 'a']);
});

it('the order of parameters that an earlier release had sorted is restored once', async () => {
  await create('acme-sorted', asJson);
  await test.database.orm.execute(sql`
    update document_version set parsed = parsed::jsonb::json where document_name = 'acme-sorted'`);
  const wanted = { name: 'acme-sorted', version: 1 };
  const sorted = await getDocumentVersion(fixture.deps, operator, wanted);
  expect(Object.keys(sorted.parameters)).toEqual(['mike', 'zulu', 'alpha']);
  const { database, clock } = fixture.deps;
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences, documents: [] });
  const restored = await getDocumentVersion(fixture.deps, operator, wanted);
  expect(Object.keys(restored.parameters)).toEqual(['zulu', 'alpha', 'mike']);
  expect(restored.steps).toEqual(sorted.steps);
});

it('exports the text byte for byte', async () => {
  await create('acme-export', asJson);
  expect(await exported('acme-export', null)).toMatchObject({
    content: asJson,
    fileName: 'acme-export-v1.json',
    mediaType: 'application/json',
  });
  expect((await exported('acme-export', 'JSON')).content).toBe(asJson);
});

it('converts to the other format with the same content and order, and validates again', async () => {
  const yaml = await exported('acme-export', 'YAML');
  expect(yaml.fileName).toBe('acme-export-v1.yaml');
  expect(JSON.stringify(parse(yaml.content))).toBe(JSON.stringify(JSON.parse(asJson)));
  const again = requireValidDocument(yaml.content);
  expect(again.format).toBe('YAML');
  await create('acme-export-yaml', yaml.content);
  const json = await exported('acme-export-yaml', 'JSON');
  expect(JSON.stringify(JSON.parse(json.content))).toBe(JSON.stringify(JSON.parse(asJson)));
});

it('converts every document of the release in both directions', async () => {
  const folder = new URL('../../src/documents/builtin/', import.meta.url);
  for (const name of ['DevicePortal-config-set', 'DevicePortal-shell', 'DevicePortal-logs-tail']) {
    const written = await readFile(new URL(`${name}.yaml`, folder), 'utf8');
    const json = await exported(name, 'JSON');
    expect(JSON.parse(json.content)).toEqual(parse(written));
  }
});

it('lists inputs that SSM does not support', async () => {
  expect((await exported('acme-export', null)).beyondSsm).toEqual(['mainSteps.1.inputs.sha256']);
  expect((await exported('DevicePortal-shell', null)).beyondSsm).toEqual([]);
});

it('moves inputs to where SSM expects them, or lists them if they are elsewhere in the text', async () => {
  const step = { action: 'aws:runShellScript', name: 'one', onFailure: 'exit' };
  const inputs = { runCommand: ['true'] };
  const written = { schemaVersion: '2.2', mainSteps: [{ ...step, inputs }] };
  await create('acme-shared', JSON.stringify(written));
  const asIs = await exported('acme-shared', 'JSON');
  expect(asIs.beyondSsm).toEqual(['mainSteps.0.onFailure']);
  const yaml = await exported('acme-shared', 'YAML');
  expect(yaml.beyondSsm).toEqual([]);
  expect(parse(yaml.content)).toEqual({
    schemaVersion: '2.2',
    mainSteps: [
      { action: step.action, name: 'one', inputs: { runCommand: ['true'], onFailure: 'exit' } },
    ],
  });
});
