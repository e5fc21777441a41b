import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunRules } from '@deviceportal/contract/run-rules';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  await seedDevices(database, [
    { serialNumber: 'OWN-1', connectivity: 'offline' },
    { serialNumber: 'OWN-2', connectivity: 'offline' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

test('who created a service token cannot approve a run of that service as the second person', async () => {
  const admin = await AccessFixture.open(portal, 'admin');
  const rules = defaultRunRules.map((rule) => ({ ...rule, approvalFrom: 2 }));
  await admin.done('commands.saveRules', { rules });
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Operator'] });
  const { status, body } = await client.post<OperationOutput<'createRun'>>(
    '/runs',
    { command: 'restart/agent', devices: ['OWN-1', 'OWN-2'], reason: 'mine' },
    { 'idempotency-key': randomUUID() },
  );
  expect({ status, state: body.state }).toEqual({ status: 201, state: 'Approval' });
  const decision = { id: body.id, effectSha256: 'a'.repeat(64) };
  expect(await admin.order('commands.approveRun', decision)).toMatchObject({
    ...{ status: 403, reason: 'run-needs-second-person' },
  });
});
