import type { Scope } from '@deviceportal/contract/permissions';
import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { certifyFleet, startLoad, type Load } from '../device-fixture.ts';
import type { DeskInstallation } from './open-desk-installation.ts';
import type { DeskDevice } from './desk-day.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
const FEWEST_OF_SCOPE = 5;
const AT_ONCE = 100;
const HEARTBEAT_SECONDS = 60;
const EVENTS_PER_SECOND = 5;

/** A device that connects. */
export interface ConnectedDevice extends DeskDevice {
  readonly country: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const isWithin = ({ countries, labels }: Scope, device: ConnectedDevice): boolean =>
  (countries.length === 0 || countries.includes(device.country)) &&
  Object.entries(labels).every(([key, value]) => device.labels[key] === value);

/** Connects as many devices of the whole fleet over TLS, which then send heartbeats and events. */
export async function connectDevices(
  { database, dataDir, mqttPort }: DeskInstallation,
  count: number,
): Promise<{ readonly devices: readonly ConnectedDevice[]; readonly load: Load }> {
  const devices = await chooseDevices(database, count);
  const fleet = await certifyFleet(
    dataDir,
    devices.map(({ id, instanceId }) => ({ deviceId: id, instanceId })),
  );
  await database.pool.query(
    `update device_instance set certificate_fingerprint = fingerprint, certificate_ends_at = now() + interval '90 days'
     from unnest($1::text[], $2::text[]) as certified(key, fingerprint) where id = key`,
    [
      fleet.devices.map(({ instanceId }) => instanceId),
      fleet.devices.map(({ fingerprint }) => fingerprint),
    ],
  );
  const load = startLoad();
  const connected = await load.ask(
    {
      kind: 'connect',
      brokerUrls: [`mqtts://127.0.0.1:${mqttPort}`],
      authorities: fleet.authority.authorities,
      ...{ key: fleet.key, devices: fleet.devices, localAddresses: ADDRESSES },
      ...{ atOnce: AT_ONCE, retryMs: 2_000 },
    },
    'connected',
  );
  if (connected.count !== count) throw new Error(`${connected.count} of ${count} connected`);
  load.begin({
    kind: 'live',
    heartbeatSeconds: HEARTBEAT_SECONDS,
    eventsPerSecond: EVENTS_PER_SECOND,
  });
  return { devices, load };
}

/** The same ones each time, from everywhere: a few of each scope, and others. */
async function chooseDevices({ pool }: Database, count: number) {
  const { rows } = await pool.query<ConnectedDevice & { readonly instanceId: string }>(
    `select d.id, d.serial_number as "serialNumber", d.name, d.model, d.country, d.labels, i.id as "instanceId",
       p.id as "ownerId", p.name as "ownerName", p.phone as "ownerPhone"
     from device d join device_instance i on i.device_id = d.id join person p on p.id = d.owner_id
     where d.lifecycle = 'active'
     order by row_number() over (partition by d.country, d.labels ->> 'env' order by md5(d.id::text)) > $2,
       md5(d.id::text) limit $1`,
    [count, FEWEST_OF_SCOPE],
  );
  return rows;
}
