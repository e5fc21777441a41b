import type { GatewayDependencies } from '../apps/server/src/gateway/gateway-dependencies.ts';
import type { DownMessage } from '../apps/server/src/gateway/device-transport.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { benchRunSigning } from './bench-run-signing.ts';
import { benchConnection, benchLogger } from './device-fixture.ts';

export interface InstalledDevice {
  readonly deviceId: string;
  readonly instanceId: string;
}

/** A gateway whose messages come from the bench. */
export function silentGateway(
  database: Database,
  {
    clock,
    onPublish = () => {},
  }: {
    readonly clock: () => Date;
    readonly onPublish?: (messages: readonly DownMessage[]) => void;
  },
): GatewayDependencies {
  return {
    database,
    changes: createLocalChangeFeed((error) => console.error(error)),
    transport: {
      ownsConnections: false,
      listeningMs: () => Number.POSITIVE_INFINITY,
      start: async () => {},
      publish: onPublish,
      disconnect: () => {},
      [Symbol.asyncDispose]: async () => {},
    },
    authority: {
      sign: () => Promise.reject(new Error('not used')),
      ...{ authorities: '', isRotating: false },
    },
    deviceKeys: { runs: benchRunSigning().keys, releases: benchRunSigning().keys },
    connection: benchConnection,
    logger: benchLogger,
    clock,
  };
}

/** Bytes that PostgreSQL has logged since its start. */
export async function loggedBytes({ pool }: Database): Promise<number> {
  const { rows } = await pool.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return rows[0].bytes;
}

/** Devices with their agents, as after enrollment. */
export async function storeInstalled(
  { pool }: Database,
  devices: readonly InstalledDevice[],
): Promise<void> {
  const input = [devices.map(({ deviceId }) => deviceId), devices.map((each) => each.instanceId)];
  const rows = 'unnest($1::uuid[], $2::text[]) as d(id, instance)';
  await pool.query(
    `insert into device (id, name, lifecycle, serial_rank) select id, 'bench', 'active', '~' || id from ${rows}`,
    input,
  );
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at)
     select instance, id, 'current', 'Linux', 'Bench', '1', 'x64', '1', 'bench', '', now() + interval '90 days'
     from ${rows}`,
    input,
  );
  await pool.query('analyze');
}
