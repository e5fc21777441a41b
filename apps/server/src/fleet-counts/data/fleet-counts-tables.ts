import {
  bigint,
  bigserial,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingSeverity } from '@deviceportal/contract/findings';
import type { Connectivity, DeviceLifecycle } from '@deviceportal/contract/states';
import { moment } from '../../platform/columns.ts';

/** As PostgreSQL text, with microseconds and infinity. */
const rank = customType<{ data: string }>({ dataType: () => 'timestamptz' });

/** Labels that scopes of roles require together, whose devices are counted. The empty set is all devices. */
export const countedLabelSet = pgTable('counted_label_set', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  labels: jsonb().$type<Readonly<Record<string, string>>>().notNull().unique(),
  /** Whether a scope requires it. Others are removed when no device is counted under them any more. */
  isUsed: boolean('is_used').notNull().default(true),
  /** Whether all devices have been counted since it was added. */
  isCounted: boolean('is_counted').notNull().default(false),
});

/** Numbers of devices by label set, state, and the attributes that scopes limit. */
export const fleetCount = pgTable(
  'fleet_count',
  {
    labelSet: integer('label_set').notNull(),
    country: text().notNull(),
    model: text().notNull(),
    connectivity: text().$type<Connectivity>().notNull(),
    lifecycle: text().$type<DeviceLifecycle>().notNull(),
    /** Offline for more than 24 hours. */
    isOld: boolean('is_old').notNull(),
    devices: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'fleet_count_cell',
      columns: [
        table.labelSet,
        table.country,
        table.model,
        table.connectivity,
        table.lifecycle,
        table.isOld,
      ],
    }),
  ],
);

/** Numbers of devices with a finding. An empty rule and severity: with any finding. */
export const fleetFindingCount = pgTable(
  'fleet_finding_count',
  {
    labelSet: integer('label_set').notNull(),
    country: text().notNull(),
    model: text().notNull(),
    rule: text().$type<FindingRule | ''>().notNull(),
    severity: text().$type<FindingSeverity | ''>().notNull(),
    devices: integer().notNull(),
  },
  (table) => [
    primaryKey({
      name: 'fleet_finding_count_cell',
      columns: [table.labelSet, table.country, table.model, table.rule, table.severity],
    }),
  ],
);

/** The values by which a device is counted, to subtract it when they change. */
export const countedDevice = pgTable('counted_device', {
  deviceId: uuid('device_id').primaryKey(),
  labelSets: integer('label_sets').array().notNull(),
  country: text().notNull(),
  model: text().notNull(),
  connectivity: text().$type<Connectivity>().notNull(),
  lifecycle: text().$type<DeviceLifecycle>().notNull(),
  isOld: boolean('is_old').notNull(),
  /** Rule and severity of each, separated by a space. */
  findings: text().array().notNull(),
});

/** Devices whose findings changed and are not yet counted. A trigger of `finding` adds them. */
export const changedFinding = pgTable('changed_finding', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  deviceId: uuid('device_id').notNull(),
});

/** Progress of the counters. One row. */
export const fleetCountProgress = pgTable('fleet_count_progress', {
  id: integer().primaryKey().default(1),
  sealedUpTo: bigint('sealed_up_to', { mode: 'number' }).notNull(),
  /** The last device of a count of all devices; null when none is in progress. */
  sweptTo: uuid('swept_to'),
  sweepEndedAt: moment('sweep_ended_at'),
  /** Devices last seen up to this moment, and at this moment up to this device, are counted as old. */
  oldRank: rank('old_rank').notNull(),
  oldId: uuid('old_id').notNull(),
  /** The counters contain all changes before this moment; null before the first complete count. */
  countedTo: moment('counted_to'),
});
