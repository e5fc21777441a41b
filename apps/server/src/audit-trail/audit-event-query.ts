import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { auditTypes, type AuditFilter, type AuditType } from '@deviceportal/contract/audit-trail';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecordsAs } from '../devices/data/device-records.ts';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';
import { nameFields } from './audit-names.ts';

/** The device of an event `e`. */
export const deviceOfEvent = deviceRecordsAs('d');
const d = deviceOfEvent;

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
  /** So many events are looked at for one page, where each must be looked at; a page that finds less says so. */
  readonly walkLimit: number;
  readonly indexed: readonly SQL[];
  /**
   * A person's or the system's deeds and a device's lie in different indexes, and an id does not say whose it is: one
   * walk for each condition here, beside `indexed`. Empty without such a choice.
   */
  readonly actors: readonly SQL[];
  readonly residual: readonly SQL[];
  /** How many targets of the event's run are in sight; null where all are, and the event's own number is right. */
  readonly targetsInSight: SQL | null;
  /** Where types alone lead: one walk of the index by type for each. Prefixes end in a dot. */
  readonly typesFirst: {
    readonly exact: readonly string[];
    readonly prefixes: readonly string[];
  } | null;
}

const WALK_LIMIT = 20_000;
/** To look for a word costs more than anything else. */
const TEXT_WALK_LIMIT = 10_000;

/** Where the people of a filter stand in sealed fields: see `findSealedMatches`. */
export interface SealedMatches {
  /** Users whose name has the text in it. */
  readonly userIds: readonly string[];
  /** What they are called, as it is sealed. */
  readonly names: readonly string[];
  /** The address, as it is sealed. */
  readonly addresses: readonly string[];
}

export const noMatches: SealedMatches = { userIds: [], names: [], addresses: [] };

interface AuditQueryOptions {
  readonly everywhere?: boolean;
  readonly sealed?: SealedMatches;
}

/** @param options.everywhere true where no index by type leads: then types are looked at row by row */
export function auditQuery(
  filter: AuditFilter,
  sight: AuditSight,
  after: MomentCursor | null,
  { everywhere = false, sealed = noMatches }: AuditQueryOptions = {},
): AuditQuery {
  const indexed: SQL[] = [sql`true`];
  const residual: SQL[] = [];
  if (after !== null)
    indexed.push(sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  if (filter.range.from !== null) indexed.push(sql`e.at >= ${filter.range.from}::timestamptz`);
  if (filter.range.to !== null) indexed.push(sql`e.at <= ${filter.range.to}::timestamptz`);
  if (filter.deviceId !== null) indexed.push(sql`e.device_id = ${filter.deviceId}::uuid`);
  if (filter.requestId !== null) indexed.push(sql`e.request_id = ${filter.requestId}`);
  if (filter.runId !== null) indexed.push(sql`e.run_id = ${filter.runId}::uuid`);
  if (filter.caseId !== null) indexed.push(sql`e.case_id = ${filter.caseId}::uuid`);
  if (filter.address !== null) {
    // Of others it is not shown without the right to see people; then it is not searched either.
    const addresses = sql.param([filter.address, ...sealed.addresses]);
    const isThere = sql`e.actor_address = any(${addresses}::text[]) and e.actor_kind <> 'device'`;
    indexed.push(sight.seesPeople ? isThere : sql`${isThere} and e.actor_id = ${sight.userId}`);
  }
  if (filter.result !== null) residual.push(resultCondition(filter.result));
  if (filter.actorKind !== null) residual.push(sql`e.actor_kind = ${filter.actorKind}`);
  if (!sight.scopes.some(isEverywhere)) {
    residual.push(sql`(${d.deviceId} is not null and ${deviceScopeCondition(sight.scopes, d)})`);
  }
  if (filter.text !== '') residual.push(textCondition(filter.text, sight, sealed));
  const types = splitTypes(filter.types);
  residual.push(...foldedConditions(filter.types));
  const hasLead = [
    filter.deviceId,
    filter.actorId,
    filter.requestId,
    filter.runId,
    filter.caseId,
    filter.address,
  ].some((value) => value !== null);
  if (types !== null && (hasLead || everywhere)) residual.push(typeCondition(types));
  const actors = filter.actorId === null ? [] : actorConditions(filter.actorId);
  return {
    walkLimit: filter.text === '' ? WALK_LIMIT : TEXT_WALK_LIMIT,
    indexed,
    actors,
    residual,
    targetsInSight: targetsInSight(sight),
    typesFirst: hasLead ? null : types,
  };
}

const target = deviceRecordsAs('target');

/** A command's event counts the devices it was sent to: those outside the scope do not exist. */
function targetsInSight({ scopes }: AuditSight): SQL | null {
  if (scopes.some(isEverywhere)) return null;
  return sql`(select count(*) from invocation i join ${target} on ${target.deviceId} = i.device_id
    where i.run_id = e.run_id and ${deviceScopeCondition(scopes, target)})`;
}

/**
 * What happens to an invocation in one transaction is one event: a request that was sent at once says so, and an end
 * whose start came with it. Who looks for the one finds it in the other.
 */
const foldedInto = {
  'command.sent': { type: 'command.requested', field: 'sentAt' },
  'command.started': { type: 'command.finished', field: 'startedAt' },
} as const;

function foldsFor(types: readonly string[]): (typeof foldedInto)[keyof typeof foldedInto][] {
  const isAsked = (type: string): boolean =>
    types.some(
      (asked) => asked === type || (asked.endsWith('.*') && type.startsWith(asked.slice(0, -1))),
    );
  return Object.entries(foldedInto).flatMap(([type, fold]) =>
    isAsked(type) && !isAsked(fold.type) ? [fold] : [],
  );
}

const foldedConditions = (types: readonly string[]): SQL[] =>
  foldsFor(types).map(({ type, field }) => sql`(e.type <> ${type} or e.data ? ${field})`);

const actorConditions = (actorId: string): SQL[] => [
  sql`e.actor_id = ${actorId} and e.actor_kind <> 'device'`,
  // Text that is no id names no device.
  ...(isId(actorId)
    ? [sql`e.device_id = ${actorId}::uuid and e.actor_id = ${actorId} and e.actor_kind = 'device'`]
    : []),
];

const isId = (text: string): boolean => z.guid().safeParse(text).success;

function splitTypes(types: readonly string[]): AuditQuery['typesFirst'] {
  if (types.length === 0) return null;
  const prefixes = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -1));
  const known = auditTypes.filter((type) => prefixes.some((prefix) => type.startsWith(prefix)));
  const named = types.filter((type) => !type.endsWith('.*'));
  return {
    exact: [...new Set([...named, ...known, ...foldsFor(types).map(({ type }) => type)])],
    // Devices name their own types: these are looked up in the index.
    prefixes: prefixes.filter(
      (prefix) => 'device-event.'.startsWith(prefix) || prefix.startsWith('device-event.'),
    ),
  };
}

/** What says of itself that it went wrong; of a command's end its state says it. */
const failures: readonly AuditType[] = [
  'device.refused',
  'device.degraded',
  'device.journal-gap',
  'device.over-limit',
  'command.timed-out',
  'command.terminated',
  'command.authorization-mismatch',
  'schedule.missed',
  'schedule.refused',
  'access.wrong-code',
  'access.sign-in-refused',
  'access.sign-in-locked',
  'access.account-locked',
  'access.message-refused',
  'access.links-refused',
  'air-blast.step-failed',
];

function resultCondition(result: 'success' | 'failure'): SQL {
  const ended = sql`e.type = 'command.finished' and e.data ->> 'state'`;
  if (result === 'success') return sql`(${ended} = 'Success')`;
  return sql`(e.type = any(${sql.param(failures)}::text[]) or (${ended} <> 'Success'))`;
}

function typeCondition(types: NonNullable<AuditQuery['typesFirst']>): SQL {
  const starts = types.prefixes.map((prefix) => sql`starts_with(e.type, ${prefix})`);
  return sql`(${sql.join([sql`e.type = any(${sql.param(types.exact)}::text[])`, ...starts], sql` or `)})`;
}

function textCondition(text: string, sight: AuditSight, sealed: SealedMatches): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const places = [
    sql`e.type ilike ${pattern}`,
    sql`${searchedData(sight)}::text ilike ${pattern}`,
    sql`${d.name} ilike ${pattern}`,
    sql`${d.serialNumber} ilike ${pattern}`,
    sql`e.request_id ilike ${pattern}`,
    sql`(e.actor_kind <> 'user' and e.actor_name ilike ${pattern})`,
    ...(sight.seesPeople ? namesLike(pattern, sealed) : []),
  ];
  return sql`(${sql.join(places, sql` or `)})`;
}

/** People by name: in clear as before there were keys, and sealed. */
const namesLike = (pattern: string, { userIds, names }: SealedMatches): SQL[] => [
  sql`(e.actor_name ilike ${pattern} and not starts_with(e.actor_name, 'sealed:'))`,
  sql`(e.actor_kind = 'user' and e.actor_id = any(${sql.param([...userIds])}::text[]))`,
  ...nameFields.map(
    (field) => sql`(e.data ->> ${field} = any(${sql.param([...names])}::text[])
      or (e.data ->> ${field} ilike ${pattern} and not starts_with(e.data ->> ${field}, 'sealed:')))`,
  ),
];

/** What is masked, and numbers of what lies outside the scope, is not searched either: asked often enough, it would be told. */
function searchedData({ scopes }: AuditSight): SQL {
  const hidden = [...nameFields, ...(scopes.some(isEverywhere) ? [] : ['targets'])];
  return sql`(e.data - ${sql.param(hidden)}::text[])`;
}
