import { sql, type SQL } from 'drizzle-orm';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { Executor } from '../../platform/database/database.ts';

/** The fields of `audit_event e` that a seal covers, as they are sealed. */
export const sealedFields: SQL = sql`e.id, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  e.type, e.device_id as "deviceId", e.actor_kind as "actorKind", e.actor_id as "actorId",
  e.actor_name as "actorName", e.actor_address as "actorAddress", e.case_id as "caseId",
  e.request_id as "requestId", e.run_id as "runId", e.data::text as data`;

/** Events by id, in the order of their ids. */
export async function readSealedRecords(
  executor: Executor,
  ids: readonly string[],
): Promise<AuditRecord[]> {
  const { rows } = await executor.execute(sql`
    select ${sealedFields} from audit_event e where e.id = any(${sql.param(ids)}::uuid[]) order by e.id`);
  return rows as unknown as AuditRecord[];
}
