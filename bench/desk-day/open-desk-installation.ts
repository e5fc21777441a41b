import { countPlaces } from '../../apps/server/src/locations/count-places.ts';
import { runFleetCountRound } from '../../apps/server/src/fleet-counts/run-fleet-count-round.ts';
import { openPersonalKeys } from '../../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded-postgres.ts';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { writeInBulk } from '../device-list-fleet.ts';
import { fillPlaces, supportedCountries } from '../map-places.ts';
import { fillInstalledFleet } from '../support/fill-installed-fleet.ts';
import { openDataDir } from '../support/open-data-dir.ts';
import { openFindings } from '../support/open-findings.ts';
import { signInToPortal } from '../support/portal-client.ts';
import { startPortalProcess, type PortalProcess } from '../support/portal-process.ts';
import { inviteDeskUsers } from './desk-users.ts';

/** Finished API calls are not of interest, and neither are the jobs of a first start. */
const SERVER_ARGS = ['--no-agent', '--fleet', '0'];

export interface DeskInstallation {
  readonly dataDir: string;
  /** As the owner of the tables. */
  readonly database: Database;
  readonly databasePid: number;
  readonly mqttPort: number;
  readonly start: () => Promise<PortalProcess>;
}

/** A database with devices, people, findings, places, and users, which is filled if it is empty, and its server. */
export async function openDeskInstallation(
  resources: AsyncDisposableStack,
  { keepIn, size }: { readonly keepIn: string | undefined; readonly size: number },
): Promise<DeskInstallation> {
  const dataDir = await openDataDir(resources, keepIn);
  const cluster = resources.use(await startEmbeddedPostgres({ dataDir }));
  const database = resources.use(openDatabase({ url: cluster.url, maxConnections: 2 }));
  openPersonalKeys(database, new Uint8Array(32));
  const [port, mqttPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const start = (): Promise<PortalProcess> =>
    startPortalProcess({
      ...{ dataDir, port, mqttPort, args: SERVER_ARGS },
      preload: new URL('../overload/watch-server.ts', import.meta.url).href,
      env: {
        DEVICEPORTAL_DATABASE_URL: cluster.runtimeUrl,
        DEVICEPORTAL_DATABASE_OWNER_URL: cluster.url,
        DEVICEPORTAL_SUPPORTED_COUNTRIES: supportedCountries.join(','),
        DEVICEPORTAL_LOG_LEVEL: 'error',
      },
    });
  const { rows } = await database.pool.query<{ table: string | null }>(
    `select to_regclass('desk_day_filled')::text as table`,
  );
  if (rows[0]?.table === null) {
    {
      await using portal = await start();
      await inviteDeskUsers(await signInToPortal(portal.url, 'admin@deviceportal.local'));
    }
    await fill(database, size);
  }
  return { dataDir, database, databasePid: cluster.pid, mqttPort, start };
}

async function fill(database: Database, size: number): Promise<void> {
  const startedAt = performance.now();
  const done = (what: string): void =>
    console.log(`${what} after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  await fillInstalledFleet(database, size);
  done('devices and people');
  await writeInBulk(database, ['device_status'], [disconnectAll]);
  await fillPlaces(database);
  done('states and places');
  await openFindings(database);
  // The rules are not evaluated for the whole fleet, which has the findings of the benchmark.
  await database.pool.query(
    `insert into finding_progress (id, sealed_up_to, swept, swept_to, sweep_ended_at) values (1, 0, 0, null, now())
     on conflict (id) do update set swept_to = null, sweep_ended_at = now()`,
  );
  const deps = { database, clock: () => new Date() };
  await database.pool.query('truncate fleet_count_progress, place_progress');
  while (await runFleetCountRound(deps));
  done('counters of the fleet');
  while (await countPlaces(deps));
  done('counters of the map');
  await database.pool.query('vacuum (analyze)');
  await database.pool.query('create table desk_day_filled ()');
}

/** The devices that connect have not been online before, and all others were seen in the last months. */
const disconnectAll = `
  update device_status set connectivity = 'offline', connection_id = null, last_seen_at = seen, seen_rank = seen
  from (select device_id as id, now() - interval '1 minute'
      - abs(hashint4(hashtext(device_id::text)))::bigint % 10000 * interval '20 minutes' as seen
    from device_status) past
  where device_id = past.id and connectivity in ('online', 'degraded')`;
