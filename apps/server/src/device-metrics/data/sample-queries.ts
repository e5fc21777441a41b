import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { deviceMetricHour, deviceMetricPending } from './device-metrics-tables.ts';

export interface HourKey {
  readonly deviceId: string;
  readonly hour: number;
}

/** Samples of one device in one hour, as stored. */
export interface HourRow extends HourKey {
  readonly samples: Uint8Array;
}

const stored = alias(deviceMetricHour, 'stored');
const { deviceId, hour, samples } = deviceMetricHour;
const written = selectList({
  deviceId: sql<string>`written.device_id`,
  hour: sql<number>`written.hour`,
  bytes: sql<number>`written.bytes`,
});

/**
 * Adds samples to the hours of many devices, and marks their days to be rolled up. Bytes that are
 * already stored are not added again. All writers lock rows in the same order: hours, then days that
 * are to be rolled up. A day that is already marked is locked without a new version, so that a
 * roll-up waits for these samples.
 *
 * @param rows each device and hour once
 * @returns the hours to which something was added, with the size of what is stored now
 */
export async function addSamples(
  tx: Transaction,
  rows: readonly HourRow[],
): Promise<(HourKey & { readonly bytes: number })[]> {
  if (rows.length === 0) return [];
  const given = rowsOf(
    { device_id: 'uuid', hour: 'integer', samples: 'bytea' },
    rows.map((row) => ({ device_id: row.deviceId, hour: row.hour, samples: row.samples })),
  );
  return selectRows(
    tx,
    written,
    (list) => sql`
    with written as (
      insert into ${deviceMetricHour} as stored (${sql.identifier(deviceId.name)}, ${sql.identifier(hour.name)}, ${sql.identifier(samples.name)})
      select given.device_id, given.hour, given.samples from ${given} as given
        order by given.device_id, given.hour
      on conflict (${sql.identifier(deviceId.name)}, ${sql.identifier(hour.name)}) do update
        set ${sql.identifier(samples.name)} = ${stored.samples} || excluded.samples
        where position(excluded.samples in ${stored.samples}) = 0
      returning ${stored.deviceId} as device_id, ${stored.hour} as hour, octet_length(${stored.samples}) as bytes
    ), marked as (
      insert into ${deviceMetricPending} (${sql.identifier(deviceMetricPending.day.name)}, ${sql.identifier(deviceMetricPending.deviceId.name)})
      select distinct written.hour / 24, written.device_id from written order by 1, 2
      on conflict (${sql.identifier(deviceMetricPending.day.name)}, ${sql.identifier(deviceMetricPending.deviceId.name)})
        do update set ${sql.identifier(deviceMetricPending.day.name)} = excluded.day where false
    )
    select ${list} from written`,
  );
}

const hourRow = selectList({
  deviceId: stored.deviceId,
  hour: stored.hour,
  samples: stored.samples,
});

/** @param hours each once */
export async function readHours(tx: Transaction, hours: readonly HourKey[]): Promise<HourRow[]> {
  if (hours.length === 0) return [];
  const given = rowsOf(
    { device_id: 'uuid', hour: 'integer' },
    hours.map((row) => ({ device_id: row.deviceId, hour: row.hour })),
  );
  return selectRows(
    tx,
    hourRow,
    (list) => sql`
    select ${list} from ${given} as given
      join ${deviceMetricHour} as stored on ${stored.deviceId} = given.device_id and ${stored.hour} = given.hour`,
  );
}

export async function replaceSamples(tx: Transaction, rows: readonly HourRow[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rowsOf(
    { device_id: 'uuid', hour: 'integer', samples: 'bytea' },
    rows.map((row) => ({ device_id: row.deviceId, hour: row.hour, samples: row.samples })),
  );
  await tx.execute(sql`
    update ${deviceMetricHour} as stored set ${sql.identifier(samples.name)} = given.samples from ${given} as given
      where ${stored.deviceId} = given.device_id and ${stored.hour} = given.hour`);
}

/** Samples of devices, by device and hour. */
export async function readSamples(
  on: Executor,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly fromHour: number;
    /** Exclusive. */
    readonly toHour: number;
  },
): Promise<HourRow[]> {
  return on
    .select({ deviceId, hour, samples })
    .from(deviceMetricHour)
    .where(
      and(isAnyOf(deviceId, wanted.deviceIds), gte(hour, wanted.fromHour), lt(hour, wanted.toHour)),
    )
    .orderBy(asc(deviceId), asc(hour));
}

/** The last hour with samples of a device, if it is not before the given one. */
export async function readNewestHour(
  on: Executor,
  wanted: { readonly deviceId: string; readonly fromHour: number },
): Promise<HourRow | undefined> {
  const [found] = await on
    .select({ deviceId, hour, samples })
    .from(deviceMetricHour)
    .where(and(eq(deviceId, wanted.deviceId), gte(hour, wanted.fromHour)))
    .orderBy(sql`${hour} desc`)
    .limit(1);
  return found;
}
