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
 * What is wrong with devices now. One that no longer holds moves to the history. With copies of the device's sort keys,
 * for the list of devices by a finding; kept by a trigger.
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

/** When a device is to be looked at again though nothing happens to it: the next moment at which a rule may turn. */
export const findingCheck = pgTable(
  'finding_check',
  { deviceId: uuid('device_id').primaryKey(), dueAt: moment('due_at').notNull() },
  (table) => [index('finding_check_due').on(table.dueAt)],
);

/** How the devices in service were in an hour: what the home screen's trend is drawn from. */
export const fleetTrend = pgTable(
  'fleet_trend',
  {
    at: moment('at').notNull(),
    /** Empty where a device has none. */
    country: text().notNull(),
    model: text().notNull(),
    devices: integer().notNull(),
    online: integer().notNull(),
    withFindings: integer('with_findings').notNull(),
  },
  (table) => [primaryKey({ columns: [table.at, table.country, table.model] })],
);

/** How a device usually comes and goes, and what of late went wrong on it: taken from the audit trail as it grows. */
export const deviceRhythm = pgTable('device_rhythm', {
  deviceId: uuid('device_id').primaryKey(),
  /** Lengths of the last absences, newest last. */
  absencesSeconds: integer('absences_seconds')
    .array()
    .notNull()
    .default(sql`'{}'`),
  awaySince: moment('away_since'),
  connectedAt: jsonb('connected_at').$type<string[]>().notNull().default([]),
  crashes: jsonb().$type<{ at: string; service: string }[]>().notNull().default([]),
});

/** Up to where the audit trail has been followed, and how far a look at the whole fleet has come. One row. */
export const findingProgress = pgTable('finding_progress', {
  id: integer().primaryKey().default(1),
  sealedUpTo: bigint('sealed_up_to', { mode: 'number' }).notNull(),
  /** The last device of a look at all that is under way; null when none is. */
  sweptTo: uuid('swept_to'),
  /** How many devices it has looked at. */
  swept: integer().notNull().default(0),
  sweepEndedAt: moment('sweep_ended_at'),
});
