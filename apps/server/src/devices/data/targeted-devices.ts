import { and, eq, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { checksSignatures } from './checks-signatures.ts';
import { deviceInstance } from './devices-tables.ts';
import { d, s } from './search/search-rows.ts';

const i = alias(deviceInstance, 'i');

export interface DeviceChoice {
  /** A query of the chosen devices' ids, as `id`; null: all devices. */
  readonly chosen: SQL | null;
  /** A condition of a filter (`conditionOfFilter`); null: each of them. */
  readonly matches: SQL | null;
}

/** Devices that a command may be meant for, with how they are connected and which agent they run. */
export const targetedDevices = ({ chosen, matches }: DeviceChoice) =>
  new QueryBuilder()
    .select({
      deviceId: d.id,
      name: d.name,
      serialNumber: d.serialNumber,
      ownerId: d.ownerId,
      country: d.country,
      model: d.model,
      labels: d.labels,
      lifecycle: d.lifecycle,
      connectivity: s.connectivity,
      /** Connected and active: can be sent something now. */
      ready:
        sql<boolean>`coalesce(${s.connectivity} in ('online', 'degraded') and ${s.lifecycle} = 'active', false)`.as(
          'ready',
        ),
      instanceId: sql<string | null>`${i.id}`.as('current_instance_id'),
      connectedInstanceId: sql<string | null>`${s.instanceId}`.as('connected_instance_id'),
      /** Its agent has connected and does not check signatures. */
      unchecked: sql<boolean>`${checksSignatures(i, s)} is false`.as('unchecked'),
    })
    .from(d)
    .leftJoin(s, eq(s.deviceId, d.id))
    .leftJoin(i, and(eq(i.deviceId, d.id), eq(i.state, 'current')))
    .where(and(chosen === null ? undefined : sql`${d.id} in (${chosen})`, matches ?? undefined))
    .as('targeted');
