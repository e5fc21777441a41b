import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere, type Permission } from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import { createAccessRouter } from '../../src/access/access-router.ts';
import { createApiCallsRouter } from '../../src/api-calls/api-calls-router.ts';
import { insertApiCalls } from '../../src/api-calls/data/insert-api-calls.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { getRun } from '../../src/commands/get-run.ts';
import { listInvocations } from '../../src/commands/invocations/list-invocations.ts';
import { listRuns } from '../../src/commands/list-runs.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { createDocument } from '../../src/documents/create-document.ts';
import { createDocumentsRouter } from '../../src/documents/documents-router.ts';
import { createCaller, router } from '../../src/platform/api.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import {
  confirmedSession,
  createCommandFixture,
  may,
  runInput,
  seedDevices,
  viewerHolding,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const SECRET = 'olga.operator@example.com';
const operator: Viewer = {
  ...viewerWith('Operator'),
  username: SECRET,
  displayName: 'Olga Operator',
};
const reading: readonly Permission[] = [
  'devices:read',
  'commands:read',
  'documents:read',
  'access:read',
  'api-calls:read',
];
const faceless = viewerHolding([may(reading, everywhere)]);
const sighted = viewerHolding([may([...reading, 'people:read'], everywhere)]);

let db: TestDatabase;
let fixture: CommandFixture;
let runId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  fixture = await createCommandFixture(db.database);
  const [deviceId = ''] = await seedDevices(db.database, [{}]);
  const target = { kind: 'devices' as const, deviceIds: [deviceId] };
  const run = await runCommand(fixture.deps, operator, runInput({ command: 'logs/tail', target }));
  runId = run.id;
  await db.database.orm.execute(sql`
    insert into portal_user (id, subject, username, email, name)
    values (${newId()}, 'olga', ${SECRET}, ${SECRET}, 'Olga Operator')`);
  await db.database.orm.execute(sql`update document set updated_by = ${SECRET}`);
  await db.database.orm.execute(sql`
    update document_version set created_by = ${SECRET}, submitted_by = ${SECRET}, submitted_at = now(),
      reviewed_by = ${SECRET}, reviewed_at = now(), review_decision = 'rejected'`);
  await insertApiCalls(db.database.orm, [
    JSON.stringify({
      id: newId(),
      at: new Date().toISOString(),
      userId: operator.userId,
      username: SECRET,
      address: '192.0.2.99',
      kind: 'query',
      path: 'session.get',
      batchSize: 1,
      durationMs: 1,
      status: 200,
      errorCode: null,
      refusal: null,
      apiToken: null,
      requestId: 'request-1',
      input: null,
    }),
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

const noPasskeys = {
  overview: async () => ({ passkeys: [], signsIn: false, recoveryCodesLeft: 0 }),
  removeAll: async () => false,
};

/** Everything in which a user stands, as one viewer gets it. */
async function everythingFor(viewer: Viewer): Promise<Record<string, string>> {
  const { database } = db;
  const directory = {
    ensureUser: () => Promise.reject(new Error('unused')),
    groupsBySubject: async () => new Map(),
  };
  const call = createCaller(
    router({
      access: createAccessRouter({
        findCreatedObjects: async () => [],
        stopQueued: async () => {},
        passkeys: noPasskeys,
        database,
        directory,
        clock: () => new Date(),
        notices: { has: () => false, queue: async () => {} },
        changes: { publish: () => {}, subscribe: () => ({ [Symbol.dispose]: () => {} }) },
        publicUrl: 'http://localhost',
      }),
      documents: createDocumentsRouter({
        database,
        clock: () => new Date(),
        runDocumentTest: () => Promise.reject(new Error('nothing is tried here')),
      }),
      apiCalls: createApiCallsRouter({ database, clock: () => new Date() }),
    }),
  )({
    ...{ viewer, requestId: 'request-1', address: '127.0.0.1', batchSize: 1 },
    stepUp: confirmedSession,
    onCall: () => {},
  });
  const page = { pageSize: 25 as const, cursor: null };
  const invocations = await listInvocations(fixture.deps, viewer, {
    ...page,
    runId,
    deviceId: null,
    states: [],
  });
  const id = invocations.rows[0]?.id ?? '';
  const runs = {
    deviceId: null,
    documentName: null,
    mine: false,
    active: false,
    awaiting: false,
    failing: false,
    endedOn: null,
  };
  const answers = {
    runs: await listRuns(fixture.deps, viewer, { ...page, ...runs }),
    run: await getRun(fixture.deps, viewer, runId),
    invocations,
    invocation: await getInvocation(fixture.deps, viewer, { id, stdoutFrom: 0, stderrFrom: 0 }),
    documents: await call.documents.list({}),
    document: await call.documents.get({ name: 'DevicePortal-logs-tail' }),
    version: await call.documents.getVersion({ name: 'DevicePortal-logs-tail', version: null }),
    users: await call.access.users.list({}),
    apiCalls: await call.apiCalls.list({}),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, JSON.stringify(answer)]),
  );
}

test('[mask-4] without people:read no answer names another user, nor where they were', async () => {
  for (const [name, text] of Object.entries(await everythingFor(faceless))) {
    expect(text, name).not.toMatch(/olga|192\.0\.2\.99/i);
    expect(text, name).toContain('o•••');
  }
});

test('[mask-5] with people:read, and for oneself, names stay what they are', async () => {
  for (const [name, text] of Object.entries(await everythingFor(sighted))) {
    expect(text, name).toContain(SECRET);
  }
  expect((await getRun(fixture.deps, { ...faceless, username: SECRET }, runId)).createdBy).toBe(
    SECRET,
  );
});

test('[document-name-1] nobody takes a name that a release may bring, with the class of its command', async () => {
  const create = createDocument({ database: db.database, clock: () => new Date() }, operator, {
    name: 'deviceportal-logs-follow',
    description: '',
    content:
      '{"schemaVersion":"2.2","mainSteps":[{"action":"aws:runShellScript","name":"a","inputs":{"runCommand":["true"]}}]}',
    consequence: 'reads',
    secretParameters: [],
    labels: {},
    note: '',
    origin: { requestId: 'request-1', address: '127.0.0.1' },
  });
  await expect(create).rejects.toMatchObject({ code: 2004, issues: [{ path: ['name'] }] });
});
