import { getTableName, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import { auditEvent, auditUnsealed } from '../audit-trail-tables.ts';
import { recordColumns, recordList } from '../sealing/sealed-record-queries.ts';

/** A partition of the events. */
export interface MonthPartition {
  /** `2026-08` */
  readonly month: string;
  readonly table: string;
}

const monthList = selectList({
  table: sql<string>`part.name`,
  month: sql<string>`part.month`,
});

/** Months that ended before a time and are sealed; the oldest first. */
export const findMonthsBefore = (on: Executor, before: Date): Promise<MonthPartition[]> => {
  const events = getTableName(auditEvent);
  const { eventId, further } = auditUnsealed;
  return selectRows(
    on,
    monthList,
    (list) => sql`
      with part as (
        select c.relname as name, replace(right(c.relname, 7), '_', '-') as month,
          to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'utc' as starts
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ${events}::regclass and c.relname ~ ${`^${events}_[0-9]{4}_[0-9]{2}$`})
      select ${list} from part
      where part.starts + interval '1 month' <= ${before.toISOString()}::timestamptz
        and not exists (
          select from ${auditUnsealed} cross join lateral unnest(${eventId} || ${further}) as queued(id)
          where queued.id >= audit_id_from(part.starts)
            and queued.id < audit_id_from(part.starts + interval '1 month'))
      order by part.month`,
  );
};

/** Rows of a partition, which has the columns of the table. */
const ofPartition = ({ table }: MonthPartition) =>
  sql`${sql.identifier(table)} as ${sql.identifier(getTableName(auditEvent))}`;

/** The next events of a month, in the order of their IDs. */
export const readMonthAfter = (
  on: Executor,
  month: MonthPartition,
  id: string,
  limit: number,
): Promise<AuditRecord[]> =>
  selectRows(
    on,
    recordList,
    (list) => sql`
      select ${list} from ${ofPartition(month)}
      where ${auditEvent.id} > ${id}::uuid order by ${auditEvent.id} limit ${limit}`,
  );

/** The statement that writes a month as CSV, in the order of event IDs and with the fields in sealing order. */
export function copyMonth(month: MonthPartition): string {
  const fields = recordFields.map((field) => sql`${recordColumns[field]}`);
  return new PgDialect().sqlToQuery(sql`
    copy (select ${sql.join(fields, sql`, `)} from ${ofPartition(month)} order by ${auditEvent.id})
    to stdout with (format csv, null '\\N')`).sql;
}

/** Locks a month against writers until the transaction ends, and returns how many events it has. */
export async function holdMonth(tx: Transaction, month: string): Promise<number> {
  const [found] = await tx
    .select({ events: sql<number>`events::float8` })
    .from(sql`hold_audit_month(${month}) as events`);
  return found?.events ?? 0;
}

/** The database checks that the month is archived: the server's role cannot drop it otherwise. */
export async function dropMonth(tx: Transaction, month: string): Promise<void> {
  await tx.execute(sql`select drop_audit_month(${month})`);
}
