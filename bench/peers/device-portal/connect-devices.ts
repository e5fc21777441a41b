import { storeDevices } from '../../capacity/store-devices.ts';
import { createFleet, startLoad } from '../../device-fixture.ts';
import { until } from '../until.ts';
import type { PortalPlace } from './portal-place.ts';
import { openRunningDatabase } from './open-running-database.ts';

/** Enrolled devices with certificates of this installation, connected by MQTT over TLS from one process. */
export async function connectDevices(
  resources: AsyncDisposableStack,
  { dataDir, mqttPort }: PortalPlace,
  count: number,
): Promise<void> {
  await using own = new AsyncDisposableStack();
  const database = await openRunningDatabase(own, dataDir);
  const fleet = await createFleet(dataDir, count);
  await storeDevices(database, { devices: fleet.devices, seed: 'peers' });
  const load = resources.use(startLoad());
  await load.ask(
    {
      kind: 'connect',
      brokerUrls: [`mqtts://127.0.0.1:${mqttPort}`],
      authorities: fleet.authority.authorities,
      key: fleet.key,
      devices: fleet.devices,
    },
    'connected',
  );
  await until(
    async () => {
      const { rows } = await database.pool.query<{ online: number }>(
        `select count(*)::int as online from device_status where connectivity in ('online', 'degraded')`,
      );
      return (rows[0]?.online ?? 0) >= count;
    },
    { what: 'devices online', everyMs: 100 },
  );
}
