import { asc, eq, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { targetedDevices } from '../../devices/data/targeted-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { distinctIds, type RunTarget, type TargetQuery } from '../target/run-target.ts';
import { findLockHolders, isLockedByOthers } from './change-lock-queries.ts';
import { sha256OfDevices } from './sha256-of-devices.ts';

/** A device of a target, included or excluded for a reason. */
export type TargetDevice = Awaited<ReturnType<typeof selectTargetDevices>>[number];

const build = new QueryBuilder();

/** Individually selected devices, each once, as `id`. Empty for a filter. */
export function chosenIds(target: RunTarget): SQL {
  if (target.kind === 'selected') return target.select;
  const ids = target.kind === 'devices' ? distinctIds(target.deviceIds) : [];
  return sql`select id from unnest(${arrayOf('uuid', ids)}) as chosen(id)`;
}

/** The first of the individually selected devices. */
export async function findFirstChosen(
  on: Executor,
  target: RunTarget,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ id: sql<string>`chosen.id` })
    .from(sql`(${chosenIds(target)}) as chosen`)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Whether an agent of Systems Manager passes parameters as environment variables, since this version. */
const passesEnvironment = (version: SQLWrapper): SQL =>
  sql`case when ${version} ~ '^\\d{1,6}(\\.\\d{1,6}){2,3}$'
    then string_to_array(${version}, '.')::int[] >= array[3, 3, 2746, 0] else false end`;

function candidatesOf({ target, matches, ...query }: TargetQuery) {
  const targeted = targetedDevices({
    chosen: target.kind === 'filter' ? null : chosenIds(target),
    matches,
  });
  const { deviceId, lifecycle, serialNumber } = targeted;
  const isHeld = query.freeFor === null ? sql`false` : isLockedByOthers(deviceId, query.freeFor);
  return build
    .select({
      deviceId,
      name: targeted.name,
      serialNumber,
      ownerId: targeted.ownerId,
      country: sql<string>`coalesce(${targeted.country}, '')`.as('country_or_none'),
      model: sql<string>`coalesce(${targeted.model}, '')`.as('model_or_none'),
      connectivity: targeted.connectivity,
      ready: targeted.ready,
      instanceId: targeted.instanceId,
      connectedInstanceId: targeted.connectedInstanceId,
      unchecked: targeted.unchecked,
      exclusion: sql<ExclusionReason | null>`
        case when (${deviceScopeCondition(query.runScopes, targeted)}) is not true then 'not-permitted'
             when ${lifecycle} in ('suspended', 'retired') then ${lifecycle}
             when ${targeted.instanceId} is null then 'no-instance'
             when ${query.needsSerialNumber ? isNull(serialNumber) : sql`false`} then 'no-serial-number'
             when ${targeted.engine} = 'ssm' and ${!query.runCommand.isPossible}::boolean then 'needs-agent'
             when ${targeted.engine} = 'ssm' and ${query.runCommand.environment}::boolean
               and not ${passesEnvironment(targeted.agentVersion)} then 'agent-too-old'
             when ${isHeld} then 'busy' end`.as('exclusion'),
    })
    .from(targeted)
    .where(deviceScopeCondition(query.readScopes, targeted));
}

/** For `with`: all devices of the target in scope, and those of them without an exclusion. */
export function reachedDevices(query: TargetQuery) {
  const candidate = build.$with('candidate').as(candidatesOf(query));
  const reached = build
    .$with('reached')
    .as(build.select().from(candidate).where(isNull(candidate.exclusion)));
  return { candidate, reached };
}

/** The runs because of which devices of a target are excluded. */
export async function selectLockingRuns(
  on: Executor,
  query: TargetQuery,
): Promise<LockHolderRun[]> {
  if (query.freeFor === null) return [];
  const candidate = candidatesOf(query).as('candidate');
  const busy = build
    .select({ id: candidate.deviceId })
    .from(candidate)
    .where(eq(candidate.exclusion, 'busy'));
  return findLockHolders(on, busy.getSQL(), query.freeFor);
}

/** The confirmed devices of a target, numbered by `position` from 1, sorted by ID. */
export type AgreedDevices = ReturnType<typeof resolvedDevices>['agreedDevices'];

/** Number of devices of a target, and the digest of their IDs. */
export interface WholeTarget {
  readonly count: SQLWrapper;
  readonly sha256: SQLWrapper;
}

export interface ResolveOptions {
  /** A statement that inserts rows for these devices. */
  readonly write: ((devices: AgreedDevices) => SQL) | null;
  /** Condition for confirming and inserting the devices. */
  readonly agreed: (whole: WholeTarget) => SQL;
  /** Maximum number of returned IDs. */
  readonly idLimit: number;
}

/** Summary of a target at one moment; the device IDs stay in the database. */
export type TargetFacts = Awaited<ReturnType<typeof resolveTargetDevices>>;

const noIds = sql<Buffer | null>`null::bytea`;

/**
 * Selects the devices of a target, inserts rows for them, and summarizes them in one statement, so the inserted devices
 * are those counted. Nothing is inserted if the devices are not confirmed.
 */
export async function resolveTargetDevices(
  on: Executor,
  query: TargetQuery,
  { write, agreed, idLimit }: ResolveOptions,
) {
  const { candidate, leftOut, whole, reached, agreedDevices } = resolvedDevices(query, agreed);
  const written = write === null ? [] : [build.$with('written', {}).as(write(agreedDevices))];
  const { deviceId, exclusion } = candidate;
  const [facts] = await on
    .with(candidate, leftOut, reached, whole, agreedDevices, ...written)
    .select({
      /** Devices in scope, included or excluded. */
      found: sql<number>`${whole.count} + (select coalesce(sum(${leftOut.count}), 0)::int from ${leftOut})`,
      reached: whole.count,
      /** Included and connected, so the command can be sent immediately. */
      ready: whole.ready,
      /** Excluded devices by reason. */
      excluded: sql<Partial<Record<ExclusionReason, number>>>`
        coalesce((select jsonb_object_agg(${leftOut.reason}, ${leftOut.count}) from ${leftOut}), '{}')`,
      /** First device by ID. The object is built for this device only. */
      first: sql<Pick<TargetDevice, 'deviceId' | 'name' | 'exclusion'> | null>`(
        select ${jsonObject({ deviceId, name: candidate.name, exclusion: sql<ExclusionReason | null>`${exclusion}` })}
        from (select * from ${candidate} order by ${deviceId} limit 1) ${candidate})`,
      /** Serial number of the first included device. */
      serialNumber: sql<string | null>`(
        select ${reached.serialNumber} from ${reached} order by ${reached.deviceId} limit 1)`,
      /** Of the sorted IDs of the included devices, one per line; hexadecimal. */
      sha256: whole.sha256,
      /** Result of the condition for inserting. */
      agreed: sql<boolean>`${agreed(whole)}`,
      /** First included devices, sorted by ID. */
      deviceIds: sql<string[]>`array(
        select ${reached.deviceId} from ${reached} order by ${reached.deviceId} limit ${idLimit})`,
      /** IDs of all included devices: 16 bytes each, sorted. */
      ids: write === null ? noIds : whole.ids,
    })
    .from(whole);
  if (facts === undefined) throw new Error('aggregate query returned no rows');
  return facts;
}

function resolvedDevices(query: TargetQuery, agreed: ResolveOptions['agreed']) {
  const all = candidatesOf(query).as('all_candidates');
  const { deviceId, exclusion } = all;
  // Every column of a `with` clause is computed and stored for each device, so it has only those that are used.
  const candidate = build.$with('candidate').as(
    build
      .select({
        deviceId,
        name: all.name,
        serialNumber: all.serialNumber,
        ready: all.ready,
        instanceId: all.instanceId,
        connectedInstanceId: all.connectedInstanceId,
        exclusion,
      })
      .from(all),
  );
  const leftOut = build.$with('left_out').as(
    build
      .select({
        reason: sql<ExclusionReason>`${candidate.exclusion}`.as('reason'),
        count: sql<number>`count(*)::int`.as('left_out_count'),
      })
      .from(candidate)
      .where(isNotNull(candidate.exclusion))
      .groupBy(candidate.exclusion),
  );
  const reached = build.$with('reached').as(
    build
      .select({
        deviceId: candidate.deviceId,
        serialNumber: candidate.serialNumber,
        ready: candidate.ready,
        instanceId: candidate.instanceId,
        connectedInstanceId: candidate.connectedInstanceId,
        position: sql<number>`row_number() over (order by ${candidate.deviceId})`.as('position'),
      })
      .from(candidate)
      .where(isNull(candidate.exclusion)),
  );
  const whole = build.$with('whole').as(
    build
      .select({
        count: sql<number>`count(*)::int`.as('whole_count'),
        ready: sql<number>`(count(*) filter (where ${reached.ready}))::int`.as('whole_ready'),
        sha256: sha256OfDevices(reached.deviceId).as('whole_sha256'),
        ids: sql<Buffer | null>`string_agg(uuid_send(${reached.deviceId}), ''::bytea order by ${reached.deviceId})`.as(
          'whole_ids',
        ),
      })
      .from(reached),
  );
  const agreedDevices = build.$with('agreed').as(
    build
      .select()
      .from(reached)
      .where(sql`(select ${agreed(whole)} from ${whole})`),
  );
  return { candidate, leftOut, reached, whole, agreedDevices };
}

/** All devices of the target within the viewer's scope, sorted by ID. */
export async function selectTargetDevices(on: Executor, query: TargetQuery) {
  const candidate = candidatesOf(query).as('candidate');
  return on
    .select({
      deviceId: candidate.deviceId,
      name: candidate.name,
      serialNumber: candidate.serialNumber,
      instanceId: candidate.instanceId,
      exclusion: candidate.exclusion,
    })
    .from(candidate)
    .orderBy(asc(candidate.deviceId));
}
