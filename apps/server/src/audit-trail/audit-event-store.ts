import { sql, type SQL } from 'drizzle-orm';
import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { AuditActor, AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, type MomentCursor } from '../platform/moment-cursor.ts';
import { deviceOfEvent as d, type AuditQuery } from './audit-event-query.ts';
import { openPersonalFields } from './open-personal-fields.ts';

export interface FoundEvents {
  readonly events: readonly AuditEvent[];
  /** Where the next page begins; null when nothing older is left. */
  readonly next: MomentCursor | null;
  /** False when the walk ended before the page was full and before the range did. */
  readonly complete: boolean;
}

interface RawEvent extends Omit<AuditEvent, 'actor'> {
  readonly atText: string;
  readonly actorKind: AuditActor['kind'];
  readonly actorId: string | null;
  readonly actorName: string;
  readonly actorAddress: string | null;
}

const newestFirst = sql`order by e.at desc, e.id desc`;

/** The events of a page, newest first. Cost is bounded by the walk, never by the table. */
export async function selectAuditEvents(
  executor: Executor,
  query: AuditQuery,
  pageSize: number,
): Promise<FoundEvents> {
  const walkLimit = query.residual.length === 0 ? pageSize + 1 : query.walkLimit;
  const walk = walkOf(query, walkLimit);
  const residual =
    query.residual.length === 0 ? sql`true` : sql.join([...query.residual], sql` and `);
  const { rows } = await executor.execute(sql`
    ${eventFields(query)}
    from (${walk}) e left join ${d} on ${d.deviceId} = e.device_id
    where ${residual} ${newestFirst} limit ${pageSize + 1}`);
  const found = rows as unknown as RawEvent[];
  const page = found.slice(0, pageSize);
  const events = await openPersonalFields(executor, page.map(eventOf));
  const last = page.at(-1);
  if (found.length > pageSize && last !== undefined) {
    return { events, next: { at: last.atText, id: last.id }, complete: true };
  }
  const end = query.residual.length === 0 ? null : await endOfWalk(executor, query);
  return { events, next: end, complete: end === null };
}

function eventFields(query: Pick<AuditQuery, 'targetsInSight'>): SQL {
  return sql`select e.id, e.at, e.at::text as "atText", e.type, e.device_id as "deviceId", ${d.name} as "deviceName",
      ${d.serialNumber} as "serialNumber",
      (select command from command_run r where r.id = e.run_id) as command, e.actor_kind as "actorKind", e.actor_id as "actorId",
      e.actor_name as "actorName", e.actor_address as "actorAddress", e.request_id as "requestId",
      ${dataOf(query)} as data`;
}

/** Of events that were read elsewhere, those that fit, with their devices; and the last, where there may be more. */
export async function selectArchivedEvents(
  executor: Executor,
  query: Pick<AuditQuery, 'residual' | 'targetsInSight'> & {
    readonly walked: readonly AuditRecord[];
    readonly pageSize: number;
  },
): Promise<{ readonly events: readonly AuditEvent[]; readonly lastId: string | null }> {
  const residual = sql.join([sql`true`, ...query.residual], sql` and `);
  const { rows } = await executor.execute(sql`
    ${eventFields(query)}
    from (select id, at, type, "deviceId" as device_id, "actorKind" as actor_kind, "actorId" as actor_id,
            "actorName" as actor_name, "actorAddress" as actor_address, "requestId" as request_id,
            "runId" as run_id, data::jsonb as data
          from jsonb_to_recordset(${JSON.stringify(query.walked)}::jsonb) as walked(
            id uuid, at timestamptz, type text, "deviceId" uuid, "actorKind" text, "actorId" text, "actorName" text,
            "actorAddress" text, "requestId" text, "runId" uuid, data text)) e
    left join ${d} on ${d.deviceId} = e.device_id
    where ${residual} ${newestFirst} limit ${query.pageSize + 1}`);
  const found = rows as unknown as RawEvent[];
  const page = found.slice(0, query.pageSize);
  const hasMore = found.length > query.pageSize;
  const events = await openPersonalFields(executor, page.map(eventOf));
  return { events, lastId: hasMore ? (page.at(-1)?.id ?? null) : null };
}

function dataOf({ targetsInSight }: Pick<AuditQuery, 'targetsInSight'>): SQL {
  const data = sql`case when e.run_id is null or e.data ? 'runId' then e.data
    else e.data || jsonb_build_object('runId', e.run_id) end`;
  if (targetsInSight === null) return data;
  return sql`(${data}) || case when e.run_id is not null and e.data ? 'targets'
    then jsonb_build_object('targets', ${targetsInSight}) else '{}' end`;
}

function walkOf(query: AuditQuery, limit: number): SQL {
  const indexed = sql.join([...query.indexed], sql` and `);
  const walk = (where: SQL): SQL =>
    sql`select e.* from audit_event e where ${where} ${newestFirst} limit ${limit}`;
  if (query.actors.length > 0) {
    const walks = query.actors.map((actor) => sql`(${walk(sql`${indexed} and ${actor}`)})`);
    return sql`select e.* from (${sql.join(walks, sql` union all `)}) e ${newestFirst} limit ${limit}`;
  }
  if (query.typesFirst === null) return walk(indexed);
  const { exact, prefixes } = query.typesFirst;
  const named = sql`select unnest(${sql.param(exact)}::text[]) as type`;
  const sources = [named, ...prefixes.map(typesWithPrefix)];
  return sql`
    select e.* from (${sql.join(sources, sql` union `)}) wanted
    cross join lateral (
      select e.* from audit_event e where e.type = wanted.type and ${indexed} ${newestFirst} limit ${limit}
    ) e ${newestFirst} limit ${limit}`;
}

/** Distinct types with a prefix, by jumping from one to the next in the index. */
function typesWithPrefix(prefix: string): SQL {
  return sql`(
    with recursive found(type) as (
      (select e.type from audit_event e where e.type >= ${prefix} order by e.type limit 1)
      union all
      select (select e.type from audit_event e where e.type > found.type order by e.type limit 1)
      from found where found.type is not null
    )
    select type from found where starts_with(type, ${prefix}))`;
}

/** The last event that a full walk looked at; null when it came to the end of the trail. */
async function endOfWalk(executor: Executor, query: AuditQuery): Promise<MomentCursor | null> {
  const { rows } = await executor.execute(sql`
    select e.at::text as at, e.id from (${walkOf(query, query.walkLimit)}) e
    ${newestFirst} offset ${query.walkLimit - 1} limit 1`);
  return (rows[0] as MomentCursor | undefined) ?? null;
}

function eventOf(raw: RawEvent): AuditEvent {
  const { atText: _atText, actorKind, actorId, actorName, actorAddress, ...event } = raw;
  return {
    ...event,
    at: isoOf(event.at),
    actor: { kind: actorKind, id: actorId, name: actorName, address: actorAddress },
  };
}
