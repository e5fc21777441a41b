import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts, FindingSeverity } from '@deviceportal/contract/findings';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from '../../platform/columns.ts';

/**
 * Current findings of devices; closed ones move to the history. Contains copies of the device's sort keys for the
 * device list filtered by finding, kept up to date by a trigger.
 */
export const finding = pgTable(
  'finding',
  {
    rule: text().$type<FindingRule>().notNull(),
    deviceId: uuid('device_id').notNull(),
    severity: text().$type<FindingSeverity>().notNull(),
    facts: jsonb().$type<FindingFacts>().notNull(),
    openedAt: moment('opened_at').notNull(),
    serialRank: text('serial_rank').notNull().default(''),
    name: text().notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.rule, table.deviceId] }),
    index('finding_by_device').on(table.deviceId),
    index('finding_by_serial').on(table.rule, sql`${table.serialRank} collate "C"`, table.deviceId),
    index('finding_by_name').on(table.rule, sql`${table.name} collate "C"`, table.deviceId),
  ],
);

export const findingHistory = pgTable(
  'finding_history',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    rule: text().$type<FindingRule>().notNull(),
    severity: text().$type<FindingSeverity>().notNull(),
    facts: jsonb().$type<FindingFacts>().notNull(),
    openedAt: moment('opened_at').notNull(),
    closedAt: moment('closed_at').notNull(),
  },
  (table) => [index('finding_history_by_device').on(table.deviceId, table.closedAt)],
);

/** When a device is evaluated again without an event: the next time at which a rule can change its result. */
export const findingCheck = pgTable(
  'finding_check',
  { deviceId: uuid('device_id').primaryKey(), dueAt: moment('due_at').notNull() },
  (table) => [index('finding_check_due').on(table.dueAt)],
);

/** State of the devices in service per hour, for the trend on the home screen. */
export const fleetTrend = pgTable(
  'fleet_trend',
  {
    at: moment('at').notNull(),
    /** Empty for devices without a country. */
    country: text().notNull(),
    model: text().notNull(),
    devices: integer().notNull(),
    online: integer().notNull(),
    withFindings: integer('with_findings').notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.country, table.model] })],
);

/** Connection pattern of a device and its recent crashes and failures, derived from the audit trail. */
export const deviceRhythm = pgTable('device_rhythm', {
  deviceId: uuid('device_id').primaryKey(),
  /** Durations of the last absences, newest last. */
  absencesSeconds: integer('absences_seconds')
    .array()
    .notNull()
    .default(sql`'{}'`),
  awaySince: moment('away_since'),
  connectedAt: jsonb('connected_at').$type<string[]>().notNull().default([]),
  crashes: jsonb().$type<{ at: string; service: string }[]>().notNull().default([]),
});

/** Position in the audit trail, and progress of the sweep of the whole fleet. One row. */
export const findingProgress = pgTable('finding_progress', {
  id: integer().primaryKey().default(1),
  sealedUpTo: bigint('sealed_up_to', { mode: 'number' }).notNull(),
  /** The last device of the current sweep; null if no sweep is in progress. */
  sweptTo: uuid('swept_to'),
  /** Number of devices evaluated in the sweep. */
  swept: integer().notNull().default(0),
  sweepEndedAt: moment('sweep_ended_at'),
});
