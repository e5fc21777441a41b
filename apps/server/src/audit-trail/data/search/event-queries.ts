import { sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { runCommands } from '../../../commands/data/device-invocations.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { selectList, selectRows, type RowOf } from '../../../platform/database/select-rows.ts';
import type { MomentCursor } from '../../../platform/moment-cursor.ts';
import { auditEvent } from '../audit-trail-tables.ts';
import type { AuditQuery } from './audit-query.ts';
import { d, e, newestFirst, withDevice } from './event-rows.ts';
import { walkOf } from './event-walk.ts';

const command = new QueryBuilder()
  .select({ command: runCommands.command })
  .from(runCommands)
  .where(sql`${runCommands.runId} = ${e.runId}`);

const eventList = selectList({
  id: e.id,
  at: e.at,
  /** With microseconds, for cursors. */
  atText: sql<string>`${e.at}::text`,
  type: e.type,
  deviceId: e.deviceId,
  deviceName: sql<string | null>`${d.name}`,
  serialNumber: sql<string | null>`${d.serialNumber}`,
  command: sql<string | null>`(${command})`,
  actorKind: e.actorKind,
  actorId: e.actorId,
  actorName: e.actorName,
  actorAddress: e.actorAddress,
  requestId: e.requestId,
});

/** With the run in the data, also of events that have it in its column alone. */
const data = sql<
  Record<string, unknown>
>`case when ${e.runId} is null or ${e.data} ? 'runId' then ${e.data}
  else ${e.data} || jsonb_build_object('runId', ${e.runId}) end`;

const wholeList = eventList.with({ data });

export type FoundEvent = RowOf<typeof wholeList>;

/** What a viewer gets of an event: only the targets in scope are counted. */
const listFor = ({ targetsInSight }: Pick<AuditQuery, 'targetsInSight'>): typeof wholeList =>
  targetsInSight === null
    ? wholeList
    : eventList.with({
        data: sql<
          Record<string, unknown>
        >`(${data}) || case when ${e.runId} is not null and ${e.data} ? 'targets'
          then jsonb_build_object('targets', ${targetsInSight}) else '{}' end`,
      });

const all = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);

export interface WalkedEvents {
  readonly events: readonly FoundEvent[];
  /** The last event of a walk that was read to its limit; null if it reached the end of the trail, or a full page. */
  readonly end: MomentCursor | null;
}

/** The newest events of a query. The cost is limited by the walk, not by the table. */
export async function findEvents(
  on: Executor,
  query: AuditQuery,
  limit: number,
): Promise<WalkedEvents> {
  if (query.residual.length > 0) return findChecked(on, query, limit);
  const events = await selectRows(
    on,
    listFor(query),
    (list) => sql`
      select ${list} from (${walkOf(query, limit)}) ${e} ${withDevice}
      ${newestFirst} limit ${limit}`,
  );
  return { events, end: null };
}

/** The last event of the walk is returned, too, so that it is not walked again to find it. */
async function findChecked(on: Executor, query: AuditQuery, limit: number): Promise<WalkedEvents> {
  const isLast = sql<boolean>`${e}.place = ${query.walkLimit}`;
  const isMatch = sql<boolean>`coalesce((${all(query.residual)}), false)`;
  const rows = await selectRows(
    on,
    listFor(query).with({ isLast, isMatch }),
    (list) => sql`
      select ${list} from (
        select ${e}.*, row_number() over (${newestFirst}) as place from (${walkOf(query, query.walkLimit)}) ${e}) ${e}
      ${withDevice} where (${all(query.residual)}) or ${isLast} ${newestFirst} limit ${limit + 1}`,
  );
  const events = rows
    .filter((row) => row.isMatch)
    .slice(0, limit)
    .map(({ isLast: _isLast, isMatch: _isMatch, ...event }) => event);
  const last = events.length < limit ? rows.find((row) => row.isLast) : undefined;
  return { events, end: last === undefined ? null : { at: last.atText, id: last.id } };
}

/** Those of events from files that meet the conditions; the newest first. */
export const findAmongRecords = (
  on: Executor,
  records: readonly AuditRecord[],
  query: Pick<AuditQuery, 'residual' | 'targetsInSight'> & { readonly limit: number },
): Promise<FoundEvent[]> =>
  selectRows(
    on,
    listFor(query),
    (list) => sql`
      select ${list} from ${rowsOfRecords(records)} ${withDevice}
      where ${all(query.residual)} ${newestFirst} limit ${query.limit}`,
  );

/** Records as rows with the columns of the table. Their data is JSON text, which is parsed unchanged. */
function rowsOfRecords(records: readonly AuditRecord[]): SQL {
  const columns = recordFields.map((field) => ({ field, column: auditEvent[field] }));
  const types = columns.map(
    ({ field, column }) =>
      sql`${sql.identifier(field)} ${sql.raw(field === 'data' ? 'text' : column.getSQLType())}`,
  );
  const values = columns.map(
    ({ field, column }) =>
      sql`${sql.identifier(field)}::${sql.raw(column.getSQLType())} as ${sql.identifier(column.name)}`,
  );
  return sql`(select ${sql.join(values, sql`, `)}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as record(${sql.join(types, sql`, `)})) ${e}`;
}
