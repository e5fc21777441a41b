import { Sha256 } from '@aws-crypto/sha256-js';
import {
  CognitoIdentityClient,
  GetCredentialsForIdentityCommand,
  GetIdCommand,
} from '@aws-sdk/client-cognito-identity';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import pg from 'pg';
import type { AuditExport } from '@deviceportal/contract/audit-trail';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mutate } from '../../../apps/server/tests/support/portal-api.ts';
import {
  startTestServer,
  type TestServer,
} from '../../../apps/server/tests/support/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, 120_000);
afterAll(() => server[Symbol.asyncDispose]());

async function exportTrail(token: string): Promise<AuditExport> {
  const input = { filter: {}, format: 'csv' };
  const answer = await mutate(server.url, { path: 'auditTrail.export', input, token });
  return answer.data as AuditExport;
}

const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status;

interface Key {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Temporary credentials of the identity pool, as a browser gets them; without a token a guest's. */
async function credentialsOf(idToken?: string, on = server): Promise<Key> {
  const client = new CognitoIdentityClient({
    region: 'us-east-1',
    endpoint: `${on.url}/identity`,
  });
  const config = (await (await fetch(`${on.url}/api/config`)).json()) as object;
  const IdentityPoolId = /us-east-1:[0-9a-f-]{36}/.exec(JSON.stringify(config))?.[0];
  const Logins =
    idToken === undefined
      ? undefined
      : { 'cognito-idp.us-east-1.amazonaws.com/us-east-1_DevicePortal': idToken };
  const { IdentityId } = await client.send(new GetIdCommand({ IdentityPoolId, Logins }));
  const reply = await client.send(new GetCredentialsForIdentityCommand({ IdentityId, Logins }));
  return {
    accessKeyId: reply.Credentials?.AccessKeyId ?? '',
    secretAccessKey: reply.Credentials?.SecretKey ?? '',
    sessionToken: reply.Credentials?.SessionToken ?? '',
  };
}

/** The file's path with a SigV4 signature, by the SDK's own signer. */
async function presign(
  key: Key,
  path: string,
  options: { readonly service?: string; readonly atMs?: number } = {},
): Promise<string> {
  const { host } = new URL(server.url);
  const signer = new SignatureV4({
    service: options.service ?? 'deviceportal',
    region: 'us-east-1',
    sha256: Sha256,
    credentials: key,
  });
  const request = new HttpRequest({ method: 'GET', hostname: host, path, headers: { host } });
  const signed = await signer.presign(request, {
    signingDate: new Date(options.atMs ?? Date.now()),
    expiresIn: 3_600,
  });
  return `${path}?${new URLSearchParams(signed.query as Record<string, string>).toString()}`;
}

/** What RevokeToken of this sign-in leaves behind. */
const signOut = async (token: string) => {
  const { origin_jti: originJti } = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  ) as { origin_jti: string };
  const client = new pg.Client({ connectionString: server.installation.databaseUrl });
  await client.connect();
  await client.query('update identity.refresh_token set revoked_at = now() where origin_jti = $1', [
    originJti,
  ]);
  await client.query(
    "insert into identity.revoked_origin values ($1, now(), now() + interval '1 day')",
    [originJti],
  );
  await client.end();
};

describe('links to an export', () => {
  it('a link created by the server opens the file until its creator signs out', async () => {
    const token = await server.signIn('auditor');
    const made = await exportTrail(token);
    expect(await statusOf(made.downloadUrl)).toBe(200);
    expect(await statusOf(made.downloadUrl.replace(/user=[^&]+/, 'user=somebody'))).toBe(404);
    await signOut(token);
    expect(await statusOf(made.downloadUrl)).toBe(403);
    expect(await statusOf(made.manifestUrl)).toBe(403);
  }, 120_000);

  it('a link signed with own credentials opens it until the sign-in has ended', async () => {
    const token = await server.signIn('auditor');
    const { fileName } = await exportTrail(token);
    const link = await presign(await credentialsOf(token), `/exports/${fileName}`);
    expect(await statusOf(link)).toBe(200);
    expect(await statusOf(link.replace('.csv?', '.csv.manifest.json?'))).toBe(404);
    await signOut(token);
    expect(await statusOf(link)).toBe(403);
  }, 120_000);

  it('[file-link-3] is not opened by links signed by other users, guests, other services, or expired signatures', async () => {
    const token = await server.signIn('auditor');
    const path = `/exports/${(await exportTrail(token)).fileName}`;
    const other = await credentialsOf(await server.signIn('admin'));
    expect(await statusOf(await presign(other, path))).toBe(404);
    expect(await statusOf(await presign(await credentialsOf(), path))).toBe(404);
    const own = await credentialsOf(token);
    expect(await statusOf(await presign(own, path, { service: 'iotdevicegateway' }))).toBe(404);
    const atMs = Date.now() - 3_601_000;
    expect(await statusOf(await presign(own, path, { atMs }))).toBe(403);
    const forged = { ...own, secretAccessKey: 'x' };
    expect(await statusOf(await presign(forged, path))).toBe(404);
  }, 120_000);
});

it('without guests, only users get credentials', async () => {
  await using closed = await startTestServer([], { DEVICEPORTAL_GUESTS: 'off' });
  await expect(credentialsOf(undefined, closed)).rejects.toMatchObject({
    message: 'Unauthenticated access is not supported for this identity pool.',
  });
  const token = await closed.signIn('viewer');
  await expect(credentialsOf(token, closed)).resolves.toBeDefined();
}, 120_000);
