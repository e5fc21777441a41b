import { eq, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { devicesWithin } from '../../devices/data/devices-within.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Executor } from '../../platform/database/database.ts';
import { finding } from './findings-tables.ts';

/** Number of devices within scope that have a finding, by rule and severity. */
export async function countByRule(on: Executor, scopes: readonly Scope[]) {
  const counted = on
    .select({ rule: finding.rule, severity: finding.severity, n: sql<number>`count(*)::int` })
    .from(finding);
  const within = devicesWithin(scopes);
  return scopes.some(isEverywhere)
    ? counted.groupBy(finding.rule, finding.severity)
    : counted
        .innerJoin(within, eq(within.deviceId, finding.deviceId))
        .groupBy(finding.rule, finding.severity);
}

/** Number of devices within scope that have any finding. */
export async function countDevices(on: Executor, scopes: readonly Scope[]): Promise<number> {
  const having = on.select({ deviceId: finding.deviceId }).from(finding);
  const within = devicesWithin(scopes);
  const devices = scopes.some(isEverywhere)
    ? having.groupBy(finding.deviceId).as('device_with')
    : having
        .innerJoin(within, eq(within.deviceId, finding.deviceId))
        .groupBy(finding.deviceId)
        .as('device_with');
  const [found] = await on.select({ n: sql<number>`count(*)::int` }).from(devices);
  return found?.n ?? 0;
}
