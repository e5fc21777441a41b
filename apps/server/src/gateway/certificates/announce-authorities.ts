import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { AuthoritiesMessage } from '@deviceportal/device-protocol/messages';
import type { DownMessage } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import type { AnnouncedAuthorities } from './announced-authorities.ts';

/** A fleet renews its certificates over so long, not at one moment. */
const RENEW_WITHIN_SECONDS = 3_600;
const PAGE = 1_000;
/** Before every device. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** For devices that have just connected, while an authority is replaced by another. */
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

/** Tells all connected devices which authorities count now. */
export async function announceAuthorities(
  { database, transport }: Pick<GatewayDependencies, 'database' | 'transport'>,
  authority: AnnouncedAuthorities,
): Promise<void> {
  let ids = await connectedAfter(database, FIRST);
  for (let last = ids.at(-1); last !== undefined; last = ids.at(-1)) {
    transport.publish(messagesFor(ids, authority));
    await setImmediate();
    ids = await connectedAfter(database, last);
  }
}

async function connectedAfter(
  { orm }: GatewayDependencies['database'],
  after: string,
): Promise<readonly string[]> {
  const { rows } = await orm.execute(sql`
    select device_id as id from device_status
    where connectivity in ('online', 'degraded') and device_id > ${after}::uuid
    order by device_id limit ${PAGE}`);
  return (rows as unknown as { id: string }[]).map(({ id }) => id);
}
