import type { PersonDraft } from '../../src/people/data/insert-people.ts';
import type { DeviceDraft } from '../../src/devices/enrollment/create-devices.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import {
  applyConnects,
  applyDisconnects,
  applyHeartbeats,
} from '../../src/devices/data/apply-connectivity.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';
import { newId } from '@deviceportal/contract/ids';

export interface SampleDevice extends DeviceDraft {
  readonly id: string;
  readonly serialNumber: string;
  readonly model: string;
  readonly country: string;
  readonly ownerName: string | null;
  readonly ownerEmail: string | null;
  readonly connectivity: 'online' | 'degraded' | 'offline' | 'never';
  /** Milliseconds since 1970; Infinity while connected. */
  readonly seenMs: number;
  readonly addedMs: number;
  readonly failing: readonly string[];
  /** TAV states of its components: `component:state`, and the worst state without a component. */
  readonly tavStates: readonly string[];
}

const models = ['kiosk', 'terminal', 'gateway'];
const countries = ['DE', 'PL', 'NZ', 'CN'];
export const sampleStart = Date.parse('2026-10-01T00:00:00Z');

const people: PersonDraft[] = Array.from({ length: 9 }, (_, n) => ({
  username: `person${n}`,
  name: ['Anna Berg', 'Bo Chen', 'Cara Diaz'][n % 3]!,
  email: `${['anna', 'bo', 'cara'][n % 3]}.p${n}@example.com`,
  phone: `+4915100000${n}`,
  country: 'DE',
  language: 'en',
}));

/** Approved: 4.18.1 for kiosks, 4.17.9 for terminals, none for gateways. */
function tavStateOf(model: string, version: string): string {
  if (model === 'gateway') return 'not-approved';
  if (model === 'kiosk') return version === '4.18.1' ? 'current' : 'behind';
  return version === '4.17.9' ? 'current' : 'ahead';
}

/** Like a real fleet: serial numbers in batches, names with the model as prefix, and the newest devices online. */
function sampleDevice(n: number, count: number): SampleDevice {
  const model = models[Math.floor((n * models.length) / count)]!;
  const owner = n % 5 === 0 ? null : people[n % people.length]!;
  const connectivity =
    n > count * 0.6 ? (n % 11 === 0 ? 'degraded' : 'online') : n % 13 === 0 ? 'never' : 'offline';
  const seenMs =
    connectivity === 'never'
      ? -Infinity
      : connectivity === 'offline'
        ? sampleStart + Math.floor(n / 3) * 3_600_000
        : Infinity;
  const version = n % 3 === 0 ? '4.18.1' : '4.17.9';
  const firmware = tavStateOf(model, version);
  return {
    id: newId(sampleStart + n),
    serialNumber: `DP${String(n).padStart(5, '0')}`,
    // Repeated names, so that IDs decide the order.
    name: `${model}-${n % 17}`,
    model,
    country: countries[(n * 7) % 10 < 6 ? 0 : 1 + (n % 3)]!,
    labels: {
      batch: `b${Math.floor(n / 40)}`,
      ...(n % 4 === 0 ? { env: 'test' } : { env: 'prod' }),
    },
    owner: owner?.username ?? null,
    ownerName: owner?.name ?? null,
    ownerEmail: owner?.email ?? null,
    lifecycle: n % 29 === 0 ? 'suspended' : 'active',
    software: [
      { component: 'firmware', version },
      ...(n % 7 === 0 ? [{ component: 'radio', version: '0.9' }] : []),
    ],
    tavStates: [
      `firmware:${firmware}`,
      n % 7 === 0 ? 'behind' : firmware,
      ...(n % 7 === 0 ? ['radio:behind'] : []),
    ],
    connectivity,
    seenMs,
    addedMs: sampleStart + (n % 80) * 3_600_000,
    failing: connectivity === 'degraded' ? ['disk'] : [],
  };
}

export async function fillSampleFleet(database: Database, count: number): Promise<SampleDevice[]> {
  const devices = Array.from({ length: count }, (_, n) => sampleDevice(n, count));
  await database.pool.query(`
    insert into version_approval (component, model, version, approved_by) values
      ('firmware', 'kiosk', '4.18.1', 'test'), ('firmware', 'terminal', '4.17.9', 'test'), ('radio', '*', '1.0', 'test')`);
  await createDevices({ database }, { people, devices });
  await database.pool.query(
    `update device d set created_at = a.at from unnest($1::uuid[], $2::timestamptz[]) a(id, at) where a.id = d.id`,
    [devices.map(({ id }) => id), devices.map(({ addedMs }) => new Date(addedMs))],
  );
  const at = new Date('2026-11-20T10:00:00Z');
  const once = devices.filter((device) => device.connectivity !== 'never');
  await inTransaction(database, async (tx) => {
    await applyConnects(
      tx,
      once.map((device) => ({
        deviceId: device.id,
        connectionId: newId(),
        instanceId: 'mi-00000000000000000',
        agentVersion: '1.0.0',
        at: new Date(Math.min(at.getTime(), device.seenMs)),
        ipAddress: null,
      })),
    );
    await applyDisconnects(
      tx,
      once
        .filter((device) => device.connectivity === 'offline')
        .map((device) => ({
          deviceId: device.id,
          connectionId: null,
          reason: 'connection-lost',
          at: new Date(device.seenMs),
        })),
    );
    await applyHeartbeats(
      tx,
      once
        .filter((device) => device.connectivity !== 'offline')
        .map((device) => ({
          deviceId: device.id,
          at,
          failing: device.failing.map((part) => ({ part, fact: '97 % used' })),
          diskUsedPercent: 50,
          memoryUsedPercent: 50,
          uptimeSeconds: 5,
          heartbeatSeconds: null,
        })),
    );
  });
  return devices;
}
