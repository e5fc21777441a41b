import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../../platform/database/database.ts';
import { auditEvent } from './audit-trail-tables.ts';

const PAGE = 500;

interface EventAbout {
  readonly at: string;
  readonly type: string;
}

/** Events of these types whose data contains the ID of a person: one type after the other along the index, the oldest first. */
export async function* readEventsAbout(
  on: Executor,
  personId: string,
  types: readonly AuditType[],
): AsyncGenerator<readonly EventAbout[]> {
  for (const type of types) yield* readType(on, personId, type);
}

async function* readType(
  on: Executor,
  personId: string,
  type: AuditType,
): AsyncGenerator<readonly EventAbout[]> {
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await on
      .select({ id: auditEvent.id, at: sql<string>`${auditEvent.at}::text`, type: auditEvent.type })
      .from(auditEvent)
      .where(
        and(
          eq(auditEvent.type, type),
          sql`(${auditEvent.at}, ${auditEvent.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
          or(
            eq(sql`${auditEvent.data} ->> 'userId'`, personId),
            eq(sql`${auditEvent.data} ->> 'personId'`, personId),
          ),
        ),
      )
      .orderBy(asc(auditEvent.at), asc(auditEvent.id))
      .limit(PAGE);
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}
