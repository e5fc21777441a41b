import { sql } from 'drizzle-orm';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { sealedFields } from '../sealing/sealed-record.ts';

/** A part of `audit_event`. */
export interface MonthPartition {
  /** `2026-08` */
  readonly month: string;
  readonly table: string;
}

/** Months that ended before a moment, all sealed; the oldest first. */
export async function monthsBefore(executor: Executor, before: Date): Promise<MonthPartition[]> {
  const { rows } = await executor.execute(sql`
    with month as (
      select c.relname as "table", replace(right(c.relname, 7), '_', '-') as month,
        to_date(right(c.relname, 7), 'YYYY_MM')::timestamp at time zone 'utc' as starts
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'audit_event'::regclass and c.relname ~ '^audit_event_[0-9]{4}_[0-9]{2}$')
    select "table", month from month
    where starts + interval '1 month' <= ${before.toISOString()}::timestamptz
      and not exists (select from audit_unsealed u cross join lateral unnest(u.event_id || u.further) as id
        where id >= audit_id_from(starts) and id < audit_id_from(starts + interval '1 month'))
    order by month`);
  return rows as unknown as MonthPartition[];
}

export async function readMonthAfter(
  executor: Executor,
  { table }: MonthPartition,
  id: string,
  limit: number,
): Promise<AuditRecord[]> {
  const { rows } = await executor.execute(sql`
    select ${sealedFields} from ${sql.identifier(table)} e where e.id > ${id}::uuid order by e.id limit ${limit}`);
  return rows as unknown as AuditRecord[];
}

/** Holds a month against writers until the transaction ends, and answers how many events it has. */
export async function holdMonth(tx: Transaction, month: string): Promise<number> {
  const { rows } = await tx.execute(sql`select hold_audit_month(${month})::float8 as events`);
  return (rows[0] as { events: number }).events;
}

/** The database itself checks that the month is archived: the server's role could not drop it otherwise. */
export async function dropMonth(tx: Transaction, month: string): Promise<void> {
  await tx.execute(sql`select drop_audit_month(${month})`);
}
