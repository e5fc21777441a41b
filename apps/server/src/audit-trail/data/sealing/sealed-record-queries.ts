import { sql } from 'drizzle-orm';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { isoMicrosOf } from '../../../platform/database/iso-micros-of.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import { auditEvent } from '../audit-trail-tables.ts';

/** What a seal covers of an event, as it is sealed. */
export const recordColumns = {
  id: auditEvent.id,
  at: isoMicrosOf(auditEvent.at),
  type: auditEvent.type,
  deviceId: auditEvent.deviceId,
  actorKind: auditEvent.actorKind,
  actorId: auditEvent.actorId,
  actorName: auditEvent.actorName,
  actorAddress: auditEvent.actorAddress,
  caseId: auditEvent.caseId,
  requestId: auditEvent.requestId,
  runId: auditEvent.runId,
  data: sql<string>`${auditEvent.data}::text`,
};

export const recordList = selectList(recordColumns);

/** Events by ID, in the order of their IDs. */
export const readSealedRecords = (on: Executor, ids: readonly string[]): Promise<AuditRecord[]> =>
  selectRows(
    on,
    recordList,
    (list) => sql`
      select ${list} from ${auditEvent} where ${isAnyOf(auditEvent.id, ids)} order by ${auditEvent.id}`,
  );
