import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Page } from '@deviceportal/contract/pages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandFile } from '../../../apps/server/tests/support/programs/program-files.ts';
import { query } from '../../../apps/server/tests/support/portal-api.ts';
import {
  startTestServer,
  type TestServer,
} from '../../../apps/server/tests/support/start-test-server.ts';

const UserPoolId = 'us-east-1_DevicePortal';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, 120_000);
afterAll(() => server[Symbol.asyncDispose]());

/** `npm run admin -- WORDS…` on the installation of the running server. */
async function admin(...words: string[]): Promise<string> {
  const { dataDir, databaseUrl } = server.installation;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [commandFile('admin'), ...words, '--data-dir', dataDir],
    { env: { PATH: process.env['PATH'], DEVICEPORTAL_DATABASE_URL: databaseUrl } },
  );
  return stdout;
}

async function newClient(name: string, policy: string) {
  const text = await admin('create-access-key', name, policy);
  const read = (variable: string) => new RegExp(`^${variable}=(.+)$`, 'm').exec(text)?.[1] ?? '';
  const credentials = {
    accessKeyId: read('AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('AWS_SECRET_ACCESS_KEY'),
  };
  const client = new CognitoIdentityProviderClient({
    region: 'us-east-1',
    endpoint: `${server.url}/identity`,
    maxAttempts: 1,
    credentials,
  });
  return { client, credentials };
}

describe("the operator's access keys", () => {
  it('are created, listed, and revoked by command, and the secret is shown once', async () => {
    const { client, credentials } = await newClient('report-job', 'read-users');
    const { Users } = await client.send(new ListUsersCommand({ UserPoolId }));
    expect(Users?.map((user) => user.Username)).toContain('admin@deviceportal.local');
    const listed = await admin('list-access-keys');
    expect(listed).toMatch(new RegExp(`${credentials.accessKeyId}  report-job  .*in use`));
    expect(listed).not.toContain(credentials.secretAccessKey);
    await expect(admin('create-access-key', 'report-job', 'read-users')).rejects.toMatchObject({
      stderr: expect.stringContaining('report-job is in use'),
    });
    await admin('revoke-access-key', credentials.accessKeyId);
    await expect(client.send(new ListUsersCommand({ UserPoolId }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
  }, 120_000);

  it('operations of an application are in the audit trail, with key, address, and request', async () => {
    const { client, credentials } = await newClient('hr-sync', 'administer-users');
    const user = { UserPoolId, Username: 'newcomer' };
    await client.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
    const disabled = await client.send(new AdminDisableUserCommand(user));
    const answer = await query(server.url, {
      path: 'auditTrail.list',
      input: { filter: { types: ['access.*'] } },
      token: await server.signIn('admin'),
    });
    const { rows } = answer.data as Page<AuditEvent>;
    const found = rows.find(({ type }) => type === 'access.user-disabled');
    expect(found).toMatchObject({
      actor: { kind: 'system', id: credentials.accessKeyId, name: 'access key hr-sync' },
      requestId: disabled.$metadata.requestId,
      data: { username: 'newcomer' },
    });
    expect(found?.actor.address).toMatch(/127\.0\.0\.1|::1/);
    expect(rows.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['access.access-key-created', 'access.user-created']),
    );
  }, 120_000);
});
