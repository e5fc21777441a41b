import { sql, type SQL } from 'drizzle-orm';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { Executor } from '../platform/database/database.ts';

export interface CohortQuery {
  readonly deviceId: string;
  readonly model: string;
  /** On the alias `d` of the device table. */
  readonly scope: SQL;
}

/** A sample tells shares to a few percent; the most recently connected ones say how a device is now. */
const COHORT = 300;
/** Healthy ones are looked for among so many: where nearly all are in trouble there are few to find. */
const LOOKED_AT = 3_000;

export async function findModel(on: Executor, deviceId: string): Promise<string | null> {
  const { rows } = await on.execute<{ model: string | null }>(
    sql`select model from device where id = ${deviceId}`,
  );
  return rows[0]?.model ?? null;
}

export async function findHealthyTwins(on: Executor, query: CohortQuery): Promise<string[]> {
  const { rows } = await on.execute<{ device_id: string }>(sql`
    with newest as materialized (
      select device_id, seen_rank from device_status
      where model = ${query.model} and device_id <> ${query.deviceId} and seen_rank > '-infinity'
      order by seen_rank desc, device_id desc limit ${LOOKED_AT})
    select n.device_id from newest n join device d on d.id = n.device_id
    where d.lifecycle = 'active' and ${query.scope}
      and not exists (select from finding f where f.device_id = n.device_id)
    order by n.seen_rank desc, n.device_id desc limit ${COHORT}`);
  return rows.map((row) => row.device_id);
}

export async function findTroubledTwins(
  on: Executor,
  query: CohortQuery & { readonly rule: FindingRule },
): Promise<string[]> {
  const { rows } = await on.execute<{ device_id: string }>(sql`
    with found as materialized (
      select device_id from finding where rule = ${query.rule} and device_id <> ${query.deviceId}
      order by device_id desc limit ${LOOKED_AT})
    select f.device_id from found f join device d on d.id = f.device_id
    where d.model = ${query.model} and ${query.scope} limit ${COHORT}`);
  return rows.map((row) => row.device_id);
}
