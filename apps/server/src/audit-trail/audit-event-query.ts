import { sql, type SQL } from 'drizzle-orm';
import { auditTypes, type AuditFilter } from '@deviceportal/contract/audit-trail';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';

/** Whose eyes an audit query has. */
export interface AuditSight {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Without `people:read` names of people are masked and not searched. */
  readonly seesPeople: boolean;
}

/**
 * A query in two parts: what an index answers, walked from the newest on, and what is looked at row by row. The walk
 * is bounded, so that no filter can read the whole trail at once.
 */
export interface AuditQuery {
  readonly indexed: readonly SQL[];
  readonly residual: readonly SQL[];
  /** Where types alone lead: one walk of the index by type for each. Prefixes end in a dot. */
  readonly typesFirst: {
    readonly exact: readonly string[];
    readonly prefixes: readonly string[];
  } | null;
}

export function auditQuery(
  filter: AuditFilter,
  sight: AuditSight,
  after: MomentCursor | null,
): AuditQuery {
  const indexed: SQL[] = [sql`true`];
  const residual: SQL[] = [];
  if (after !== null)
    indexed.push(sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  if (filter.range.from !== null) indexed.push(sql`e.at >= ${filter.range.from}::timestamptz`);
  if (filter.range.to !== null) indexed.push(sql`e.at <= ${filter.range.to}::timestamptz`);
  if (filter.deviceId !== null) indexed.push(sql`e.device_id = ${filter.deviceId}::uuid`);
  if (filter.actorId !== null) indexed.push(sql`e.actor_id = ${filter.actorId}`);
  if (filter.requestId !== null) indexed.push(sql`e.request_id = ${filter.requestId}`);
  if (filter.runId !== null) indexed.push(sql`e.run_id = ${filter.runId}::uuid`);
  if (filter.actorKind !== null) residual.push(sql`e.actor_kind = ${filter.actorKind}`);
  if (!sight.scopes.some(isEverywhere)) {
    residual.push(sql`(d.id is not null and ${deviceScopeCondition(sight.scopes)})`);
  }
  if (filter.text !== '') residual.push(textCondition(filter.text, sight));
  const types = splitTypes(filter.types);
  const hasLead = [filter.deviceId, filter.actorId, filter.requestId, filter.runId].some(
    (value) => value !== null,
  );
  if (types !== null && hasLead) residual.push(typeCondition(types));
  return { indexed, residual, typesFirst: hasLead ? null : types };
}

function splitTypes(types: readonly string[]): AuditQuery['typesFirst'] {
  if (types.length === 0) return null;
  const prefixes = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -1));
  const known = auditTypes.filter((type) => prefixes.some((prefix) => type.startsWith(prefix)));
  const named = types.filter((type) => !type.endsWith('.*'));
  return {
    exact: [...new Set([...named, ...known])],
    // Devices name their own types: these are looked up in the index.
    prefixes: prefixes.filter(
      (prefix) => 'device-event.'.startsWith(prefix) || prefix.startsWith('device-event.'),
    ),
  };
}

function typeCondition(types: NonNullable<AuditQuery['typesFirst']>): SQL {
  const starts = types.prefixes.map((prefix) => sql`starts_with(e.type, ${prefix})`);
  return sql`(${sql.join([sql`e.type = any(${sql.param(types.exact)}::text[])`, ...starts], sql` or `)})`;
}

function textCondition(text: string, sight: AuditSight): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const places = [
    sql`e.type ilike ${pattern}`,
    sql`e.data::text ilike ${pattern}`,
    sql`d.name ilike ${pattern}`,
    sql`d.serial_number ilike ${pattern}`,
    sql`e.request_id ilike ${pattern}`,
    sight.seesPeople
      ? sql`e.actor_name ilike ${pattern}`
      : sql`(e.actor_kind <> 'user' and e.actor_name ilike ${pattern})`,
  ];
  return sql`(${sql.join(places, sql` or `)})`;
}
