import { and, desc, eq, gt, ne, notExists } from 'drizzle-orm';
import type { SimilarDevice } from '@deviceportal/contract/similar-devices';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { openFindings } from '../../findings/data/open-findings.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';

export interface CohortQuery {
  readonly deviceId: string;
  readonly model: string;
  readonly scopes: readonly Scope[];
}

/** The sample size estimates shares to a few percent; the most recently connected devices have current data. */
const COHORT = 300;
/** Number of candidates among which healthy devices are searched, in case few are healthy. */
const LOOKED_AT = 3_000;

export async function findHealthySimilarDevices(
  on: Executor,
  { deviceId, model, scopes }: CohortQuery,
): Promise<string[]> {
  const { seenRank } = deviceConnections;
  const newest = on
    .select({ deviceId: deviceConnections.deviceId, seenRank })
    .from(deviceConnections)
    .where(
      and(
        eq(deviceConnections.model, model),
        ne(deviceConnections.deviceId, deviceId),
        gt(seenRank, '-infinity'),
      ),
    )
    .orderBy(desc(seenRank), desc(deviceConnections.deviceId))
    .limit(LOOKED_AT)
    .as('newest');
  const rows = await on
    .select({ deviceId: newest.deviceId })
    .from(newest)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, newest.deviceId))
    .where(
      and(
        eq(deviceRecords.lifecycle, 'active'),
        deviceScopeCondition(scopes, deviceRecords),
        notExists(
          on
            .select({ rule: openFindings.rule })
            .from(openFindings)
            .where(eq(openFindings.deviceId, newest.deviceId)),
        ),
      ),
    )
    .orderBy(desc(newest.seenRank), desc(newest.deviceId))
    .limit(COHORT);
  return rows.map((row) => row.deviceId);
}

export async function findFaultySimilarDevices(
  on: Executor,
  { deviceId, model, scopes, rule }: CohortQuery & { readonly rule: FindingRule },
): Promise<string[]> {
  const found = on
    .select({ deviceId: openFindings.deviceId })
    .from(openFindings)
    .where(and(eq(openFindings.rule, rule), ne(openFindings.deviceId, deviceId)))
    .orderBy(desc(openFindings.deviceId))
    .limit(LOOKED_AT)
    .as('found');
  const rows = await on
    .select({ deviceId: found.deviceId })
    .from(found)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, found.deviceId))
    .where(and(eq(deviceRecords.model, model), deviceScopeCondition(scopes, deviceRecords)))
    .limit(COHORT);
  return rows.map((row) => row.deviceId);
}

/** Names of compared devices, by ID. */
export async function findSimilarDevices(
  on: Executor,
  ids: readonly string[],
): Promise<Map<string, SimilarDevice>> {
  const rows = await on
    .select({
      id: deviceRecords.deviceId,
      name: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
    })
    .from(deviceRecords)
    .where(isAnyOf(deviceRecords.deviceId, ids));
  return new Map(rows.map((row) => [row.id, row]));
}
