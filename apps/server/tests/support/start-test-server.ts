import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { compose, type RunningServer } from '../../src/compose/compose.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { awsSettings } from './aws/aws-settings.ts';
import { createTestDatabase } from './database/create-test-database.ts';
import { signIn } from './portal-api.ts';

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly server: RunningServer;
  /** The parameters with which an operator's command works on the same installation. */
  readonly installation: { readonly dataDir: string; readonly databaseUrl: string };
  /** An id token of a built-in user, by the sign-in of a browser. */
  signIn(mailbox: string): Promise<string>;
}

/** The whole server in this process, with its own database, without devices. */
export async function startTestServer(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  /** Destination of its log. */
  log?: Writable,
): Promise<TestServer> {
  await using resources = new AsyncDisposableStack();
  const testDatabase = resources.use(await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-server-'));
  resources.defer(() => rm(dataDir, { recursive: true, force: true }));
  const installation = { dataDir, databaseUrl: testDatabase.url };
  const served = resources.use(await serveInstallation(installation, { options, env, log }));
  const owned = resources.move();
  return { ...served, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The whole server in this process, on an existing database and data folder. */
export async function serveInstallation(
  installation: TestServer['installation'],
  {
    options = [],
    env = {},
    withOwnBroker = true,
    log,
  }: {
    /** Whether devices connect to the embedded broker. */
    readonly withOwnBroker?: boolean;
    readonly options?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly log?: Writable | undefined;
  } = {},
): Promise<TestServer> {
  const { dataDir, databaseUrl } = installation;
  const config = readConfig({
    argv: [
      ...['--port', '0', '--data-dir', dataDir],
      ...(withOwnBroker ? ['--mqtt-port', '0'] : []),
      ...(options.includes('--fleet') ? [] : ['--fleet', '0']),
      '--no-agent',
      ...options,
    ],
    env: {
      DEVICEPORTAL_DATABASE_URL: databaseUrl,
      DEVICEPORTAL_SIGN_IN_LIMITS: 'off',
      DEVICEPORTAL_LOG_LEVEL: 'silent',
      ...(await awsSettings(databaseUrl, env)),
      ...env,
    },
    workingDir: dataDir,
  });
  const server = await compose(config, createLogger(config, log), () => {});
  return {
    url: server.address,
    server,
    installation,
    signIn: (mailbox) => signIn(server.address, `${mailbox}@deviceportal.local`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
