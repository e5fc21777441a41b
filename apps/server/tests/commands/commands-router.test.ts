import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCommandsRouter } from '../../src/commands/commands-router.ts';
import { createDocumentsRouter } from '../../src/documents/documents-router.ts';
import { createCaller, portalErrorOf, router } from '../../src/platform/api.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  confirmedSession,
  createCommandFixture,
  may,
  origin,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';

let test: TestDatabase;
let fixture: CommandFixture;

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

function callerOf(viewer: Viewer) {
  const api = router({
    commands: createCommandsRouter(fixture.deps),
    documents: createDocumentsRouter({
      ...fixture.deps,
      runDocumentTest: () => Promise.reject(new Error('nothing is tried here')),
    }),
  });
  return createCaller(api)({
    ...{ ...origin, viewer, stepUp: confirmedSession, batchSize: 1 },
    onCall: () => {},
  });
}

const codeOf = (call: Promise<unknown>): Promise<number | null> =>
  call.then(
    () => null,
    (error: unknown) => portalErrorOf(error as Parameters<typeof portalErrorOf>[0]).code,
  );

it('creates a run with its defaults', async () => {
  const [deviceId = ''] = await seedDevices(test.database, [{}]);
  const api = callerOf(viewerWith('Support'));
  const run = await api.commands.run({
    command: 'network/ping',
    target: { kind: 'devices', deviceIds: [deviceId] },
    parameters: { host: '192.0.2.1' },
    idempotencyKey: randomUUID(),
  });
  expect(run).toMatchObject({ maxConcurrency: '50', maxErrors: '0', timeoutSeconds: 3_600 });
  expect((await api.commands.listRuns({ mine: true })).rows).toHaveLength(1);
});

it('rejects an input of the wrong shape with 2004', async () => {
  const api = callerOf(viewerWith('Support'));
  const input = { command: 'logs/tail', target: null, idempotencyKey: 'no uuid' };
  expect(await codeOf(api.commands.run(input))).toBe(2004);
  expect(await codeOf(api.commands.getRun({ id: 'x' }))).toBe(2004);
});

it('requires commands:read for reading, and documents:manage for changing documents', async () => {
  const nobody = callerOf(viewerHolding([may(['devices:read'])]));
  expect(await codeOf(nobody.commands.list())).toBe(1000);
  expect(await codeOf(nobody.documents.list({}))).toBe(1000);
  const support = callerOf(viewerWith('Support'));
  expect(await codeOf(support.documents.deprecate({ name: 'DevicePortal-locate' }))).toBe(1000);
  expect(
    await codeOf(
      callerOf(viewerWith('Operator')).documents.approve({
        name: 'DevicePortal-locate',
        version: 1,
      }),
    ),
  ).toBe(1000);
});

it('allows validating a text with permission to read documents', async () => {
  const api = callerOf(viewerWith('Viewer'));
  expect(await api.documents.validate({ content: 'schemaVersion: 3' })).toMatchObject({
    valid: false,
    problems: [{ line: 1 }, { line: 1 }],
  });
});
