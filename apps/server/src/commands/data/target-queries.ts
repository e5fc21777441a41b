import { asc, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import type { BusyRun } from '@deviceportal/contract/change-locks';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { targetedDevices } from '../../devices/data/targeted-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { distinctIds, type RunTarget, type TargetQuery } from '../target/run-target.ts';
import { findLockHolders, isLockedByOthers } from './change-lock-queries.ts';
import { sha256OfDevices } from './sha256-of-devices.ts';

/** One device of a target: reached, or left out for a reason. */
export type TargetDevice = Awaited<ReturnType<typeof selectTargetDevices>>[number];

const build = new QueryBuilder();

/** The devices that are chosen one by one, each once, as `id`. A filter chooses none. */
export function chosenIds(target: RunTarget): SQL {
  if (target.kind === 'selected') return target.select;
  const ids = target.kind === 'devices' ? distinctIds(target.deviceIds) : [];
  return sql`select id from unnest(${arrayOf('uuid', ids)}) as chosen(id)`;
}

/** The first of the devices that are chosen one by one. */
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
             when ${isHeld} then 'busy' end`.as('exclusion'),
    })
    .from(targeted)
    .where(deviceScopeCondition(query.readScopes, targeted));
}

/** For `with`: every device of the target in sight, and those of them without an exclusion. */
export function reachedDevices(query: TargetQuery) {
  const candidate = build.$with('candidate').as(candidatesOf(query));
  const reached = build
    .$with('reached')
    .as(build.select().from(candidate).where(isNull(candidate.exclusion)));
  return { candidate, reached };
}

/** The runs for which devices of a target are left out. */
export async function selectBusyRuns(on: Executor, query: TargetQuery): Promise<BusyRun[]> {
  if (query.freeFor === null) return [];
  const candidate = candidatesOf(query).as('candidate');
  const busy = build
    .select({ id: candidate.deviceId })
    .from(candidate)
    .where(eq(candidate.exclusion, 'busy'));
  return findLockHolders(on, busy.getSQL(), query.freeFor);
}

/** The devices of a target that are agreed, numbered by `position` from 1 in the order of their ids. */
export type AgreedDevices = ReturnType<typeof frozenDevices>['agreedDevices'];

/** How many devices a target reaches, and the digest of their ids. */
export interface WholeTarget {
  readonly count: SQLWrapper;
  readonly sha256: SQLWrapper;
}

export interface FreezeOptions {
  /** A statement that inserts rows of these devices. */
  readonly write: ((devices: AgreedDevices) => SQL) | null;
  /** Only then the devices are agreed, and written. */
  readonly agreed: (whole: WholeTarget) => SQL;
  /** So many ids are answered. */
  readonly idLimit: number;
}

/** A target as it is at one moment; the devices themselves stay in the database. */
export type TargetFacts = Awaited<ReturnType<typeof freezeTargetDevices>>;

const noIds = sql<Buffer | null>`null::bytea`;

/**
 * Finds the devices of a target, hands them on and sums them up, in one statement: what is written is what was counted,
 * and nothing is written of devices that were not agreed.
 */
export async function freezeTargetDevices(
  on: Executor,
  query: TargetQuery,
  { write, agreed, idLimit }: FreezeOptions,
) {
  const { candidate, whole, reached, agreedDevices } = frozenDevices(query, agreed);
  const written = write === null ? [] : [build.$with('written', {}).as(write(agreedDevices))];
  const { deviceId, exclusion } = candidate;
  const excluded = sql`(
    select ${exclusion} as reason, count(*)::int as count from ${candidate}
    where ${exclusion} is not null group by ${exclusion}) left_out`;
  const [facts] = await on
    .with(candidate, reached, whole, agreedDevices, ...written)
    .select({
      /** Devices in sight, reached or left out. */
      found: sql<number>`(select count(*)::int from ${candidate})`,
      reached: whole.count,
      /** Reached and connected: could be sent something now. */
      ready: sql<number>`(select count(*)::int from ${reached} where ${reached.ready})`,
      /** Left out, by reason. */
      excluded: sql<Partial<Record<ExclusionReason, number>>>`
        coalesce((select jsonb_object_agg(reason, count) from ${excluded}), '{}')`,
      /** In the order of ids. */
      first: sql<Pick<TargetDevice, 'deviceId' | 'name' | 'exclusion'> | null>`(
        select ${jsonObject({ deviceId, name: candidate.name, exclusion: sql<ExclusionReason | null>`${exclusion}` })}
        from ${candidate} order by ${deviceId} limit 1)`,
      /** Of the first that is reached. */
      serialNumber: sql<string | null>`(
        select ${reached.serialNumber} from ${reached} where ${reached.position} = 1)`,
      /** Over the sorted ids of those that are reached, one a line; hexadecimal. */
      sha256: whole.sha256,
      /** Whether the condition held under which they are written. */
      agreed: sql<boolean>`${agreed(whole)}`,
      /** The first of them, in the order of ids. */
      deviceIds: sql<string[]>`array(
        select ${reached.deviceId} from ${reached} where ${reached.position} <= ${idLimit} order by ${reached.position})`,
      /** All of them where they were written: 16 bytes each, in the order of ids. */
      ids:
        write === null
          ? noIds
          : sql<Buffer | null>`(
              select string_agg(uuid_send(${agreedDevices.deviceId}), ''::bytea order by ${agreedDevices.position})
              from ${agreedDevices})`,
    })
    .from(whole);
  if (facts === undefined) throw new Error('a count without rows');
  return facts;
}

function frozenDevices(query: TargetQuery, agreed: FreezeOptions['agreed']) {
  const { candidate } = reachedDevices(query);
  const { deviceId } = candidate;
  const reached = build.$with('reached').as(
    build
      .select({
        deviceId,
        serialNumber: candidate.serialNumber,
        ready: candidate.ready,
        instanceId: candidate.instanceId,
        connectedInstanceId: candidate.connectedInstanceId,
        position: sql<number>`row_number() over (order by ${deviceId})`.as('position'),
      })
      .from(candidate)
      .where(isNull(candidate.exclusion)),
  );
  const whole = build.$with('whole').as(
    build
      .select({
        count: sql<number>`count(*)::int`.as('whole_count'),
        sha256: sha256OfDevices(reached.deviceId).as('whole_sha256'),
      })
      .from(reached),
  );
  const agreedDevices = build.$with('agreed').as(
    build
      .select()
      .from(reached)
      .where(sql`(select ${agreed(whole)} from ${whole})`),
  );
  return { candidate, reached, whole, agreedDevices };
}

/** Every device of the target within the viewer's sight, in the order of their ids. */
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
