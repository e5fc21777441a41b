import { and, eq, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { checksSignatures } from './checks-signatures.ts';
import { deviceInstance } from './devices-tables.ts';
import { d, s } from './search/search-rows.ts';

const i = alias(deviceInstance, 'i');

export interface DeviceChoice {
  /** A query for the IDs of selected devices, as `id`; null for all devices. */
  readonly chosen: SQL | null;
  /** A filter condition (`conditionOfFilter`); null for all devices. */
  readonly matches: SQL | null;
}

/** Candidate devices of a command, with connection and agent. */
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
      engine: d.engine,
      /** Version of the agent that runs commands. */
      agentVersion: sql<string | null>`${i.agentVersion}`.as('current_agent_version'),
      connectivity: s.connectivity,
      /** Connected and active, so the command can be sent immediately. */
      ready:
        sql<boolean>`coalesce(${s.connectivity} in ('online', 'degraded') and ${s.lifecycle} = 'active', false)`.as(
          'ready',
        ),
      instanceId: sql<string | null>`${i.id}`.as('current_instance_id'),
      connectedInstanceId: sql<string | null>`${s.instanceId}`.as('connected_instance_id'),
      /** Its agent has connected and does not verify signatures. */
      unchecked: sql<boolean>`${checksSignatures(i, s)} is false`.as('unchecked'),
    })
    .from(d)
    .leftJoin(s, eq(s.deviceId, d.id))
    .leftJoin(i, and(eq(i.deviceId, d.id), eq(i.state, 'current')))
    .where(and(chosen === null ? undefined : sql`${d.id} in (${chosen})`, matches ?? undefined))
    .as('targeted');
