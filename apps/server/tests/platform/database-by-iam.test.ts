import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { rdsTokenSignature } from '../../../../packages/aws/tests/parts/rds-token-signature.ts';
import { partCredentials } from '../../../../packages/aws/tests/parts/start-part.ts';
import {
  startPasswordDatabase,
  type PasswordDatabase,
} from '../support/database/password-database.ts';
import { serveInstallation } from '../support/start-test-server.ts';
import { makeServerCertificate, openTlsFront, type TlsFront } from '../support/tls-front.ts';

describe.skipIf(lacks())('a database by host, user, and IAM tokens', () => {
  let folder: string;
  let database: PasswordDatabase;
  let front: TlsFront;
  const tokens: URL[] = [];

  /** As Amazon RDS decides. */
  function accepts(password: string): boolean {
    const token = new URL(`http://${password}`);
    tokens.push(token);
    return token.searchParams.get('X-Amz-Signature') === rdsTokenSignature(token);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dp-by-iam-'));
    database = await startPasswordDatabase();
    await database.addRole('portal');
    // The front decides instead.
    await database.owner.pool.query('revoke with_password from portal');
    const certificate = await makeServerCertificate('127.0.0.1');
    await writeFile(join(folder, 'rds.pem'), certificate.certificate);
    front = await openTlsFront(database.host, certificate, accepts);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await front[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(secretAccessKey: string): Promise<void> {
    vi.stubEnv('AWS_ACCESS_KEY_ID', partCredentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
    const installation = { dataDir: folder, databaseUrl: '' };
    await using portal = await serveInstallation(installation, {
      env: {
        DEVICEPORTAL_DATABASE_HOST: '127.0.0.1',
        DEVICEPORTAL_DATABASE_PORT: String(front.port),
        DEVICEPORTAL_DATABASE_NAME: database.name,
        DEVICEPORTAL_DATABASE_USER: 'portal',
        DEVICEPORTAL_DATABASE_CA_FILE: join(folder, 'rds.pem'),
      },
    });
    expect((await fetch(`${portal.url}/api/config`)).status).toBe(200);
  }

  it('signs in with a token of its user, host, and port, which all connections share', async () => {
    await serve(partCredentials.secretAccessKey);
    expect(tokens.map(({ host }) => host)).toContain(`127.0.0.1:${front.port}`);
    expect(tokens.map(({ searchParams }) => searchParams.get('DBUser'))).toContain('portal');
    expect(tokens.length).toBeGreaterThan(1);
    expect(new Set(tokens.map(String)).size).toBe(1);
    expect(front.plain).toBe(0);
  });

  it('does not start with the keys of another account', async () => {
    await expect(serve('guessed')).rejects.toThrow(
      /^Cannot connect to DEVICEPORTAL_DATABASE_HOST with DEVICEPORTAL_DATABASE_USER: PAM authentication failed$/,
    );
  });
});
