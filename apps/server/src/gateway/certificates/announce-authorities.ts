import { setImmediate } from 'node:timers/promises';
import type { AuthoritiesMessage } from '@deviceportal/device-protocol/messages';
import type { DownMessage } from '../device-transport.ts';
import { listConnectedAfter } from '../../devices/data/connections/connected-devices.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import type { AnnouncedAuthorities } from './announced-authorities.ts';

/** The devices of a fleet renew their certificates spread over this time. */
const RENEW_WITHIN_SECONDS = 3_600;
const PAGE = 1_000;
/** Sorts before every device id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** For devices that have just connected while an authority is being rotated. */
export function authoritiesFor(
  deviceIds: readonly string[],
  authority: AnnouncedAuthorities,
): DownMessage[] {
  return authority.isRotating ? messagesFor(deviceIds, authority) : [];
}

function messagesFor(
  deviceIds: readonly string[],
  { authorities, renewWithinSeconds = RENEW_WITHIN_SECONDS }: AnnouncedAuthorities,
): DownMessage[] {
  const message: AuthoritiesMessage = { authorities, renewWithinSeconds };
  const payload = JSON.stringify(message);
  return deviceIds.map((deviceId) => ({ deviceId, channel: 'authorities', payload, qos: 1 }));
}

/** Sends all connected devices the accepted authorities. */
export async function announceAuthorities(
  { database, transport }: Pick<GatewayDependencies, 'database' | 'transport'>,
  authority: AnnouncedAuthorities,
): Promise<void> {
  let ids = await listConnectedAfter(database.orm, FIRST, PAGE);
  for (let last = ids.at(-1); last !== undefined; last = ids.at(-1)) {
    transport.publish(messagesFor(ids, authority));
    await setImmediate();
    ids = await listConnectedAfter(database.orm, last, PAGE);
  }
}
