import { constants, publicEncrypt } from 'node:crypto';
import { stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { usesAws } from '../support/aws/uses-aws.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test.skipIf(usesAws)(
  '[idp-start-1] creates one application at the first start, and shows its secret to its owner only',
  async () => {
    const config = (await (await fetch(`${server.url}/api/config`)).json()) as BrowserConfig;
    expect(config.provider).toMatchObject({
      host: '/idp',
      appId: 'deviceportal',
      userPoolId: config.userPoolId,
    });
    expect(config.provider?.redirectUris[0]).toMatch(/\/signin$/);
    const file = join(server.installation.dataDir, 'keys', 'idp-application.secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    expect(secret.length).toBeGreaterThan(40);
    expect(JSON.stringify(config)).not.toContain(secret);
  },
);

test('publishes the public key for passwords, and has the users of the first start', async () => {
  const answer = await fetch(`${server.url}/idp/api/v2/.well-known`);
  expect(await answer.json()).toMatchObject({
    code: 200,
    data: { publicKey: expect.stringContaining('BEGIN PUBLIC KEY') },
  });
  const known = await fetch(`${server.url}/idp/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($email: String) { isUserExists(email: $email) }',
      variables: { email: 'admin@deviceportal.local' },
    }),
  });
  expect(await known.json()).toEqual({ data: { isUserExists: true } });
});

test('records the creation of an account in the audit trail', async () => {
  const keys = (await (await fetch(`${server.url}/idp/api/v2/.well-known`)).json()) as {
    data: { publicKey: string };
  };
  const padding = constants.RSA_PKCS1_PADDING;
  const password = publicEncrypt(
    { key: keys.data.publicKey, padding },
    Buffer.from('Seven wet boots'),
  );
  const email = 'new@example.com';
  await openRegistration();
  const made = await fetch(`${server.url}/idp/graphql/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        'mutation ($input: RegisterByEmailInput!) { registerByEmail(input: $input) { email } }',
      variables: { input: { email, password: password.toString('base64') } },
    }),
  });
  expect(await made.json()).toEqual({ data: { registerByEmail: { email } } });
  const client = new pg.Client({ connectionString: server.installation.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ event: string }>(
      "select e::text as event from audit_event e where type = 'access.user-created' and e::text like '%basic:email%'",
    );
    expect(rows).toHaveLength(1);
    // Sealed with the key of the person.
    expect(rows[0]?.event).not.toContain(email);
  } finally {
    await client.end();
  }
});

/** Registration at the portal's own application is closed at every start. */
async function openRegistration(): Promise<void> {
  const client = new pg.Client({ connectionString: server.installation.databaseUrl });
  await client.connect();
  try {
    await client.query("update identity.provider_application set registration = 'open'");
  } finally {
    await client.end();
  }
}

test('[idp-start-9] requires new passwords to have twelve characters and not to be common ones', async () => {
  const strengthOf = async (password: string): Promise<boolean> => {
    const query =
      'query ($password: String!) { checkPasswordStrength(password: $password) { valid } }';
    const answer = await fetch(`${server.url}/idp/graphql/v2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { password } }),
    });
    const { data } = (await answer.json()) as {
      data: { checkPasswordStrength: { valid: boolean } };
    };
    return data.checkPasswordStrength.valid;
  };
  expect(await strengthOf('kx7-vmq9-rt')).toBe(false);
  expect(await strengthOf('Password2024!')).toBe(false);
  expect(await strengthOf('kx7-vmq9-rtz')).toBe(true);
});
