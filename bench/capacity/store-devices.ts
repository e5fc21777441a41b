import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { describeFleet } from '../../apps/agent/src/fleet/describe-fleet.ts';
import { createDevices } from '../../apps/server/src/devices/enrollment/create-devices.ts';
import type { Database } from '../../apps/server/src/platform/database/database.ts';

const AT_ONCE = 5_000;

export interface StoredDevice {
  readonly deviceId: string;
  readonly instanceId: string;
  /** SHA-256 of the certificate; empty for a device that never connects. */
  readonly fingerprint: string;
}

/** Enrolled devices as the simulator describes them: name, model, country, labels, position, and software. */
export async function storeDevices(
  database: Database,
  { devices, seed }: { readonly devices: readonly StoredDevice[]; readonly seed: string },
): Promise<void> {
  const plans = describeFleet(devices.length, seed).devices;
  for (let first = 0; first < devices.length; first += AT_ONCE) {
    const some = devices.slice(first, first + AT_ONCE);
    await createDevices(
      { database },
      {
        people: [],
        devices: some.flatMap(({ deviceId }, index) => {
          const plan = plans[first + index];
          if (!plan) return [];
          const { owner: _owner, position, ...described } = plan;
          const place = { ...position, source: 'network' } as const;
          return [{ ...described, id: deviceId, lifecycle: 'active', place } as const];
        }),
      },
    );
    await storeInstances(database, some);
  }
  await database.pool.query('vacuum analyze');
}

async function storeInstances({ pool }: Database, devices: readonly StoredDevice[]): Promise<void> {
  const input = [
    devices.map(({ deviceId }) => deviceId),
    devices.map(({ instanceId }) => instanceId),
    devices.map(({ fingerprint }) => fingerprint),
  ];
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at)
     select key, id, 'current', 'Linux', 'Debian', '13', 'x64', '1.0.0', 'device', fingerprint, now() + interval '90 days'
     from unnest($1::uuid[], $2::text[], $3::text[]) as enrolled(id, key, fingerprint)`,
    input,
  );
  await pool.query(
    `update device_status set instance_id = key
     from unnest($1::uuid[], $2::text[]) as enrolled(id, key) where device_id = id`,
    input.slice(0, 2),
  );
}

/** Devices without a certificate, whose messages another client publishes. */
export const createCrowd = (count: number): StoredDevice[] =>
  Array.from({ length: count }, () => ({
    ...{ deviceId: newId(), instanceId: newInstanceId(), fingerprint: '' },
  }));
