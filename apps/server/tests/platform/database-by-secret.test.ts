import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { recordCalls } from '../../../../packages/aws/tests/parts/record-calls.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import {
  partCredentials,
  type RunningPart,
} from '../../../../packages/aws/tests/parts/start-part.ts';
import {
  startPasswordDatabase,
  type PasswordDatabase,
} from '../support/database/password-database.ts';
import { query } from '../support/portal-api.ts';
import { serveInstallation, type TestServer } from '../support/start-test-server.ts';
import { makeServerCertificate, openTlsFront } from '../support/tls-front.ts';

const SECRET = 'deviceportal/database';

/** New connections are needed all the time, as by many servers. */
function useConnectionsTwice(): Disposable {
  const { connect } = pg.Pool.prototype;
  const spy = vi.spyOn(pg.Pool.prototype, 'connect');
  spy.mockImplementation(function (this: pg.Pool, ...args: unknown[]) {
    this.options.maxUses = 2;
    return Reflect.apply(connect, this, args) as Promise<pg.PoolClient>;
  });
  return { [Symbol.dispose]: () => spy.mockRestore() };
}

describe.skipIf(lacks('moto'))('a database by host, secret, and name', () => {
  let moto: RunningPart;
  let database: PasswordDatabase;
  let folder: string;
  beforeAll(async () => {
    [moto, database] = await Promise.all([startMoto(), startPasswordDatabase()]);
    folder = await mkdtemp(join(tmpdir(), 'dp-by-secret-'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', partCredentials.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', partCredentials.secretAccessKey);
    await database.addRole('portal');
    await storeSecret('CreateSecret', await database.setPassword('portal'));
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([moto[Symbol.asyncDispose](), database[Symbol.asyncDispose]()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** As Amazon RDS writes it. */
  async function storeSecret(operation: 'CreateSecret' | 'PutSecretValue', password: string) {
    const { host, name: dbname } = database;
    const value = { engine: 'postgres', host, port: 5_432, username: 'portal', password, dbname };
    const id = operation === 'CreateSecret' ? { Name: SECRET } : { SecretId: SECRET };
    await callMoto(moto, 'secretsmanager', `secretsmanager.${operation}`, {
      ...id,
      SecretString: JSON.stringify(value),
    });
  }

  const serve = (env: Readonly<Record<string, string>> = {}): Promise<TestServer> =>
    serveInstallation(
      { dataDir: folder, databaseUrl: '' },
      {
        env: {
          DEVICEPORTAL_DATABASE_HOST: database.host,
          DEVICEPORTAL_DATABASE_NAME: database.name,
          DEVICEPORTAL_DATABASE_SECRET_ID: SECRET,
          DEVICEPORTAL_DATABASE_SECRET_ENDPOINT: moto.endpoint,
          ...env,
        },
      },
    );

  it('answers every call while the secret is rotated ten times, and connections end all the time', async () => {
    using _used = useConnectionsTwice();
    await using secrets = await recordCalls(moto);
    await using portal = await serve({ DEVICEPORTAL_DATABASE_SECRET_ENDPOINT: secrets.endpoint });
    const token = await portal.signIn('admin');
    const stopping = new AbortController();
    const answers: number[] = [];
    const load = Array.from({ length: 4 }, async () => {
      while (!stopping.signal.aborted) {
        answers.push((await query(portal.url, { token, path: 'session.get' })).status);
      }
    });
    const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 20_000 });
    for (let rotation = 0; rotation < 10; rotation += 1) {
      const [reads, before] = [secrets.calls.length, answers.length];
      // In the database first, as rotation does it: new connections wait for the secret.
      const password = await database.setPassword('portal');
      await until(() => secrets.calls.length > reads);
      await storeSecret('PutSecretValue', password);
      await until(() => answers.length > before + 10);
    }
    stopping.abort();
    await Promise.all(load);
    expect(new Set(answers)).toEqual(new Set([200]));
  }, 120_000);

  it.each([
    [
      'a secret that does not exist',
      { DEVICEPORTAL_DATABASE_SECRET_ID: 'none' },
      /the secret none does not exist/,
    ],
    [
      'a store that does not answer',
      { DEVICEPORTAL_DATABASE_SECRET_ENDPOINT: 'http://127.0.0.1:9' },
      /ECONNREFUSED/,
    ],
  ])('%s stops the start with one line', async (_what, env, reason) => {
    const error = await serve(env).catch((refused: unknown) => refused);
    expect(error).toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^Cannot connect to DEVICEPORTAL_DATABASE_HOST with DEVICEPORTAL_DATABASE_SECRET_ID: [^\n]+$/,
      ) as string,
    });
    expect(String(error)).toMatch(reason);
  });

  it('is reached by TLS, and only with a certificate of the configured authority for its address', async () => {
    const [right, other, elsewhere] = await Promise.all(
      ['127.0.0.1', '127.0.0.1', '192.0.2.1'].map(makeServerCertificate),
    );
    const caFile = join(folder, 'authorities.pem');
    const startWith = async (trusted = right, shown = right): Promise<void> => {
      if (!trusted || !shown) throw new Error('no certificate');
      await writeFile(caFile, trusted.certificate);
      await using front = await openTlsFront(database.host, shown);
      const portal = await serve({
        DEVICEPORTAL_DATABASE_HOST: '127.0.0.1',
        DEVICEPORTAL_DATABASE_PORT: String(front.port),
        DEVICEPORTAL_DATABASE_CA_FILE: caFile,
      });
      await portal[Symbol.asyncDispose]();
      expect(front.plain).toBe(0);
    };
    await expect(startWith()).resolves.toBeUndefined();
    await expect(startWith(other)).rejects.toThrow(/SECRET_ID: self-signed certificate/);
    await expect(startWith(elsewhere, elsewhere)).rejects.toThrow(
      /127\.0\.0\.1 is not in the cert/,
    );
    await writeFile(caFile, 'nothing');
    await expect(serve({ DEVICEPORTAL_DATABASE_CA_FILE: caFile })).rejects.toThrow(
      /^DEVICEPORTAL_DATABASE_CA_FILE: .* does not contain PEM certificates\.$/,
    );
  }, 60_000);
});
