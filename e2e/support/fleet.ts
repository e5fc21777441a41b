import { setTimeout as sleep } from 'node:timers/promises';
import type { PortalClient } from './portal-client.ts';

export interface KnownDevice {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly connectivity: string;
  readonly lifecycle: string;
  readonly model: string | null;
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** A device with a known serial number, as all simulated ones have. */
export type SerialDevice = KnownDevice & { readonly serialNumber: string };

/** The fleet of the tests: simulated devices, and the real agent of this machine. */
export interface Fleet {
  readonly devices: readonly KnownDevice[];
  /** The real agent on this machine. */
  readonly real: KnownDevice;
  /** A simulated device with an owner, online when the test file started, so that it has metrics at night and at weekends. */
  readonly owned: SerialDevice & { readonly owner: { readonly id: string; readonly name: string } };
  /** Returns an online, active simulated device; each one is returned once per test file. */
  readonly takeOnline: () => SerialDevice;
  /** The same, without findings, so that later findings are caused by the test. */
  readonly takeWell: () => Promise<SerialDevice>;
}

const CONNECT_LIMIT_MS = 60_000;
const FEWEST_ONLINE = 20;

export async function readFleet(client: PortalClient): Promise<Fleet> {
  const rows = await connectedFleet(client);
  const real = rows.find(isReal);
  if (real === undefined) throw new Error('the agent of this machine is not registered');
  const online = rows.filter(
    (device): device is SerialDevice =>
      device.serialNumber !== null &&
      device.connectivity === 'online' &&
      device.lifecycle === 'active',
  );
  const owned = online.find((device): device is Fleet['owned'] => device.owner !== null);
  if (owned === undefined) throw new Error('no online device has an owner');
  return {
    devices: rows,
    real,
    owned,
    takeOnline() {
      const device = online.pop();
      if (device === undefined) throw new Error('no simulated device is online');
      return device;
    },
    async takeWell() {
      for (const [index, device] of online.entries()) {
        if (!(await isWell(client, device))) continue;
        online.splice(index, 1);
        return device;
      }
      throw new Error('every online simulated device has findings');
    },
  };
}

/**
 * Some devices start with a fault, which their first self-check reports; others run an outdated
 * version.
 */
async function isWell(client: PortalClient, { id }: KnownDevice): Promise<boolean> {
  const { diskUsedPercent, verdicts } = await client.ask<{
    diskUsedPercent: number | null;
    verdicts: readonly { code: string }[];
  }>('devices.get', { device: id });
  return diskUsedPercent !== null && verdicts.every(({ code }) => code === 'healthy');
}

const isReal = ({ serialNumber }: KnownDevice): boolean => serialNumber === null;

/** The server is ready before its devices are connected, so the first test file waits for them. */
async function connectedFleet(client: PortalClient): Promise<readonly KnownDevice[]> {
  const deadline = Date.now() + CONNECT_LIMIT_MS;
  for (;;) {
    const { rows } = await client.ask<{ rows: KnownDevice[] }>('devices.list', { pageSize: 100 });
    const online = rows.filter(({ connectivity }) => connectivity === 'online');
    if (online.some(isReal) && online.length >= FEWEST_ONLINE) return rows;
    if (Date.now() > deadline) throw new Error(`only ${online.length} devices have connected`);
    await sleep(200);
  }
}
