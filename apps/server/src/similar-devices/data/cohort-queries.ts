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

/** The most recently connected devices of the model, without the compared one. */
const newestOf = (on: Executor, { deviceId, model }: CohortQuery) =>
  on
    .select({ deviceId: deviceConnections.deviceId, seenRank: deviceConnections.seenRank })
    .from(deviceConnections)
    .where(
      and(
        eq(deviceConnections.model, model),
        ne(deviceConnections.deviceId, deviceId),
        gt(deviceConnections.seenRank, '-infinity'),
      ),
    )
    .orderBy(desc(deviceConnections.seenRank), desc(deviceConnections.deviceId))
    .limit(LOOKED_AT)
    .as('newest');

export async function findHealthySimilarDevices(
  on: Executor,
  query: CohortQuery,
): Promise<string[]> {
  const newest = newestOf(on, query);
  const rows = await on
    .select({ deviceId: newest.deviceId })
    .from(newest)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, newest.deviceId))
    .where(
      and(
        eq(deviceRecords.lifecycle, 'active'),
        deviceScopeCondition(query.scopes, deviceRecords),
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

/**
 * Devices of the model with the finding: the most recently connected ones, and for findings that few devices have, those
 * of any time.
 */
export async function findFaultySimilarDevices(
  on: Executor,
  query: CohortQuery & { readonly rule: FindingRule },
): Promise<string[]> {
  const recent = await recentlyFaulty(on, query);
  if (recent.length === COHORT) return recent;
  const others = await withFinding(on, query);
  return [...new Set([...recent, ...others])].slice(0, COHORT);
}

async function recentlyFaulty(
  on: Executor,
  query: CohortQuery & { readonly rule: FindingRule },
): Promise<string[]> {
  const newest = newestOf(on, query);
  const rows = await on
    .select({ deviceId: newest.deviceId })
    .from(newest)
    .innerJoin(
      openFindings,
      and(eq(openFindings.deviceId, newest.deviceId), eq(openFindings.rule, query.rule)),
    )
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, newest.deviceId))
    .where(deviceScopeCondition(query.scopes, deviceRecords))
    .orderBy(desc(newest.seenRank), desc(newest.deviceId))
    .limit(COHORT);
  return rows.map((row) => row.deviceId);
}

async function withFinding(
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
  // The limit keeps the planner from reading all devices of the model instead.
  const ofModel = on
    .select({ deviceId: deviceRecords.deviceId })
    .from(deviceRecords)
    .where(
      and(
        eq(deviceRecords.deviceId, found.deviceId),
        eq(deviceRecords.model, model),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .limit(1)
    .as('of_model');
  const rows = await on
    .select({ deviceId: found.deviceId })
    .from(found)
    .crossJoinLateral(ofModel)
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
