import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import type { Executor } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { finding, fleetTrend } from './findings-tables.ts';

/** Inserts one row per country and model with the state of the devices in service, for the hour of `now`. */
export async function insertFleetTrend(on: Executor, now: Date): Promise<void> {
  const { country, model, connectivity, lifecycle, deviceId } = deviceConnections;
  const failing = on
    .select({ deviceId: finding.deviceId })
    .from(finding)
    .groupBy(finding.deviceId)
    .as('failing');
  const points = on
    .select({
      at: sql`date_trunc('hour', ${now.toISOString()}::timestamptz, 'UTC')`.as('trend_at'),
      country: sql`coalesce(${country}, '')`.as('trend_country'),
      model: sql`coalesce(${model}, '')`.as('trend_model'),
      devices: count().as('devices'),
      online: sql`count(*) filter (where ${connectivity} in ('online', 'degraded'))`.as('online'),
      withFindings: count(failing.deviceId).as('with_findings'),
    })
    .from(deviceConnections)
    .leftJoin(failing, eq(failing.deviceId, deviceId))
    .where(eq(lifecycle, 'active'))
    .groupBy(sql`2`, sql`3`);
  await on
    .insert(fleetTrend)
    .select(points.getSQL())
    .onConflictDoUpdate({
      target: [fleetTrend.at, fleetTrend.country, fleetTrend.model],
      set: {
        devices: excluded(fleetTrend.devices),
        online: excluded(fleetTrend.online),
        withFindings: excluded(fleetTrend.withFindings),
      },
    });
}

const noLabels = sql`'{}'::jsonb`;

/** The stored points of the last days. Scopes by label are not supported, because past labels are not stored. */
export async function readFleetTrend(
  on: Executor,
  scopes: readonly Scope[],
  { now, days }: { readonly now: Date; readonly days: number },
) {
  const { country, model } = fleetTrend;
  return on
    .select({
      at: fleetTrend.at,
      devices: sql<number>`sum(${fleetTrend.devices})::int`,
      online: sql<number>`sum(${fleetTrend.online})::int`,
      withFindings: sql<number>`sum(${fleetTrend.withFindings})::int`,
    })
    .from(fleetTrend)
    .where(
      and(
        sql`${fleetTrend.at} > ${now.toISOString()}::timestamptz - make_interval(days => ${days})`,
        deviceScopeCondition(scopes, { country, model, labels: noLabels }),
      ),
    )
    .groupBy(fleetTrend.at)
    .orderBy(asc(fleetTrend.at));
}
