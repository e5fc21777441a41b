import { join } from 'node:path';
import { describeConnection } from '../../apps/server/src/gateway/connection-settings.ts';
import { openPersonalKeys } from '../../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded-postgres.ts';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { createFleet, openTempDir, type BenchFleet } from '../device-fixture.ts';
import { signInToPortal, type PortalClient } from '../support/portal-client.ts';
import { startPortalProcess } from '../support/portal-process.ts';
import { startBroker, type Broker } from './start-broker.ts';

export const serverRoles = ['gateway', 'web', 'worker'] as const;
/** Each in a process of its own; `web` also signs users in. */
export type ServerRole = (typeof serverRoles)[number];

/** PostgreSQL, Mosquitto, and a server for each role, as processes of their own. */
export interface Installation {
  readonly dataDir: string;
  /** As the owner of the tables. */
  readonly database: Database;
  readonly databasePid: number;
  readonly broker: Broker;
  readonly serverPids: Readonly<Record<ServerRole, number>>;
  /** Of the gateway's metrics. */
  readonly gatewayUrl: string;
  /** With certificates, but not in the database. */
  readonly fleet: BenchFleet;
  readonly connection: ReturnType<typeof describeConnection>;
  /** Signed in; the first one is an administrator. */
  readonly users: readonly PortalClient[];
}

/** Of a development start. All of them can see devices. */
const USERS = ['admin', 'operator', 'support', 'viewer'];

export interface InstallationOptions {
  /** Devices with certificates. */
  readonly devices: number;
  readonly heartbeatSeconds: number;
}

export async function startInstallation(
  resources: AsyncDisposableStack,
  { devices, heartbeatSeconds }: InstallationOptions,
): Promise<Installation> {
  const dataDir = await openTempDir(resources);
  const cluster = resources.use(await startEmbeddedPostgres({ dataDir }));
  const fleet = await createFleet(dataDir, devices);
  const broker = await startBroker(resources, dataDir, fleet.authority);
  const database = resources.use(openDatabase({ url: cluster.url, maxConnections: 4 }));
  openPersonalKeys(database, new Uint8Array(32));
  // Checkpoints happen only when the benchmark asks for one.
  for (const setting of [`checkpoint_timeout = '1h'`, `max_wal_size = '16GB'`])
    await database.pool.query(`alter system set ${setting}`);
  await database.pool.query('select pg_reload_conf()');
  const webPort = await findFreePort('127.0.0.1');
  const start = async (roles: string, port: number) => {
    const portal = resources.use(
      await startPortalProcess({
        ...{ dataDir, port },
        args: ['--roles', roles, '--no-agent'],
        env: {
          ...broker.settings,
          DEVICEPORTAL_DATABASE_URL: cluster.runtimeUrl,
          DEVICEPORTAL_DATABASE_OWNER_URL: cluster.url,
          DEVICEPORTAL_PUBLIC_URL: `http://localhost:${webPort}`,
          DEVICEPORTAL_HEARTBEAT_SECONDS: String(heartbeatSeconds),
          DEVICEPORTAL_LOG_LEVEL: 'error',
          // `npm run bench:metrics` measures what they cost.
          DEVICEPORTAL_METRICS_SECONDS: '0',
        },
      }),
    );
    return { url: portal.url, pid: portal.process.pid ?? 0 };
  };
  const web = await start('web,identity', webPort);
  const gateway = await start('gateway', await findFreePort('127.0.0.1'));
  const worker = await start('worker', await findFreePort('127.0.0.1'));
  return {
    ...{ dataDir, database, databasePid: cluster.pid, broker, fleet },
    serverPids: { web: web.pid, gateway: gateway.pid, worker: worker.pid },
    gatewayUrl: gateway.url,
    connection: describeConnection({
      ...{ brokerUrls: [broker.url], subscriptionQos: 1, heartbeatSeconds },
    }),
    users: await Promise.all(
      USERS.map((name) => signInToPortal(web.url, `${name}@deviceportal.local`)),
    ),
  };
}

export const stateDirectoryOf = ({ dataDir }: Pick<Installation, 'dataDir'>): string =>
  join(dataDir, 'fleet');
