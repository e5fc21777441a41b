import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { AuditFilter } from '@deviceportal/contract/audit-trail';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import { deviceRecordsAs } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import type { MomentCursor } from '../../../platform/moment-cursor.ts';
import type { AuditSight } from '../../audit-sight.ts';
import { foldedConditions, splitTypes, typeCondition, type SplitTypes } from './event-types.ts';
import { d, e } from './event-rows.ts';
import { resultCondition } from './result-condition.ts';
import { noMatches, textCondition, type SealedMatches } from './text-condition.ts';

/**
 * A query in two parts: conditions that an index answers, walked from the newest event on, and conditions that are
 * checked row by row. The walk is limited, so that no filter reads the whole trail.
 */
export interface AuditQuery {
  /** How many events are read for one page if each must be checked; a page that finds fewer is incomplete. */
  readonly walkLimit: number;
  readonly indexed: readonly SQL[];
  /**
   * Events of users or of the system and events of devices are in different indexes, and an ID does not tell which: one
   * walk for each of these conditions, combined with `indexed`. Empty without an actor.
   */
  readonly actors: readonly SQL[];
  readonly residual: readonly SQL[];
  /** How many targets of the event's run are in scope; null if all are, and the event's own number is correct. */
  readonly targetsInSight: SQL | null;
  /** Set if only types can be looked up: one walk of the index by type for each. */
  readonly typesFirst: SplitTypes | null;
}

const WALK_LIMIT = 20_000;
/** Text conditions cost more than all others. */
const TEXT_WALK_LIMIT = 10_000;

interface AuditQueryOptions {
  readonly everywhere?: boolean;
  readonly sealed?: SealedMatches;
  /** The devices that the text names; null to look at the device of each event. */
  readonly deviceIds?: readonly string[] | null;
}

/** @param options.everywhere true if there is no index by type: types are checked row by row */
export function auditQuery(
  filter: AuditFilter,
  sight: AuditSight,
  after: MomentCursor | null,
  { everywhere = false, sealed = noMatches, deviceIds = null }: AuditQueryOptions = {},
): AuditQuery {
  const types = splitTypes(filter.types);
  const residual = [
    ...(filter.result === null ? [] : [resultCondition(filter.result)]),
    ...(filter.actorKind === null ? [] : [sql`${e.actorKind} = ${filter.actorKind}`]),
    ...(sight.scopes.some(isEverywhere)
      ? []
      : [sql`(${d.deviceId} is not null and ${deviceScopeCondition(sight.scopes, d)})`]),
    ...(filter.text === '' ? [] : [textCondition(filter.text, sight, { sealed, deviceIds })]),
    ...foldedConditions(filter.types),
  ];
  const hasLead = [
    ...[filter.deviceId, filter.actorId, filter.requestId],
    ...[filter.runId, filter.caseId, filter.address],
  ].some((value) => value !== null);
  if (types !== null && (hasLead || everywhere)) residual.push(typeCondition(types));
  return {
    walkLimit: filter.text === '' ? WALK_LIMIT : TEXT_WALK_LIMIT,
    indexed: [
      sql`true`,
      ...periodConditions(filter, after),
      ...leadConditions(filter, sight, sealed),
    ],
    actors: filter.actorId === null ? [] : actorConditions(filter.actorId),
    residual,
    targetsInSight: targetsInSight(sight),
    typesFirst: hasLead ? null : types,
  };
}

const periodConditions = ({ range }: AuditFilter, after: MomentCursor | null): SQL[] => [
  ...(after === null
    ? []
    : [sql`(${e.at}, ${e.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`]),
  ...(range.from === null ? [] : [sql`${e.at} >= ${range.from}::timestamptz`]),
  ...(range.to === null ? [] : [sql`${e.at} <= ${range.to}::timestamptz`]),
];

function leadConditions(
  { deviceId, requestId, runId, caseId, address }: AuditFilter,
  sight: AuditSight,
  sealed: SealedMatches,
): SQL[] {
  return [
    ...(deviceId === null ? [] : [sql`${e.deviceId} = ${deviceId}::uuid`]),
    ...(requestId === null ? [] : [sql`${e.requestId} = ${requestId}`]),
    ...(runId === null ? [] : [sql`${e.runId} = ${runId}::uuid`]),
    ...(caseId === null ? [] : [sql`${e.caseId} = ${caseId}::uuid`]),
    ...(address === null ? [] : [addressCondition([address, ...sealed.addresses], sight)]),
  ];
}

/** Addresses of other users are masked without permission to see people, so they are not searched either. */
function addressCondition(addresses: readonly string[], { seesPeople, userId }: AuditSight): SQL {
  const isThere = sql`${isAnyOf(e.actorAddress, addresses)} and ${e.actorKind} <> 'device'`;
  return seesPeople ? isThere : sql`${isThere} and ${e.actorId} = ${userId}`;
}

const actorConditions = (actorId: string): SQL[] => [
  sql`${e.actorId} = ${actorId} and ${e.actorKind} <> 'device'`,
  // Other texts are not IDs of devices.
  ...(isId(actorId)
    ? [
        sql`${e.deviceId} = ${actorId}::uuid and ${e.actorId} = ${actorId} and ${e.actorKind} = 'device'`,
      ]
    : []),
];

const isId = (text: string): boolean => z.guid().safeParse(text).success;

const target = deviceRecordsAs('target');

/** The event of a command counts its target devices: those out of scope do not exist for the viewer. */
function targetsInSight({ scopes }: AuditSight): SQL | null {
  if (scopes.some(isEverywhere)) return null;
  const { deviceId, runId } = deviceInvocations;
  return sql`(select count(*) from ${deviceInvocations} join ${target} on ${target.deviceId} = ${deviceId}
    where ${runId} = ${e.runId} and ${deviceScopeCondition(scopes, target)})`;
}
