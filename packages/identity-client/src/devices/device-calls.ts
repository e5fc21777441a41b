import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { readDeviceRecord } from './device-record.ts';

/** A browser or device that the current user signed in from. */
export interface SignedInDevice {
  readonly device: Readonly<Record<string, unknown>>;
  readonly lastIp?: string | null;
  readonly lastLoginTime?: string | null;
  readonly online?: boolean | null;
}

const FOLDER = '/api/v3/mydevices';

/** Registers this browser for the current user. Returns false if that fails. */
export function registerDevice(
  client: IdentityClient,
  options: CallOptions = {},
): Promise<boolean> {
  return didWork(options, async () => {
    const body = await readDeviceRecord(client);
    const path = '/api/v3/create-device';
    await client.rest({ method: 'POST', path, body, signal: options.signal });
  });
}

/** Lists the devices of the current user. */
export async function listMyDevices(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<readonly SignedInDevice[]> {
  const reply = await client.rest({ method: 'GET', path: `${FOLDER}/list`, signal });
  return Array.isArray(reply) ? (reply as readonly SignedInDevice[]) : [];
}

/** Removes a device from the current user. Returns false if that fails. */
export function unbindDevice(
  client: IdentityClient,
  deviceId: string,
  options: CallOptions = {},
): Promise<boolean> {
  return post(client, `${FOLDER}/unbind`, deviceId, options);
}

/** Ends the session of a device. Returns false if that fails. */
export function revokeDeviceSession(
  client: IdentityClient,
  deviceId: string,
  options: CallOptions = {},
): Promise<boolean> {
  return post(client, `${FOLDER}/revoke-session`, deviceId, options);
}

function post(
  client: IdentityClient,
  path: string,
  deviceId: string,
  options: CallOptions,
): Promise<boolean> {
  return didWork(options, () =>
    client.rest({ method: 'POST', path, body: { deviceId }, signal: options.signal }),
  );
}

async function didWork({ signal }: CallOptions, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}
