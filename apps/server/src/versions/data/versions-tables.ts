import type { SoftwareVersionState, TavState } from '@deviceportal/contract/states';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** Current version of each component of a device, one row per component. */
export const deviceVersion = pgTable(
  'device_version',
  {
    deviceId: uuid('device_id').notNull(),
    component: text().notNull(),
    version: text().notNull(),
    since: moment('since').notNull(),
    reportedAt: moment('reported_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.component] }),
    index('device_version_by_version').on(table.component, table.version, table.deviceId),
  ],
);

/** Earlier versions of components of a device, one row per change. */
export const deviceVersionHistory = pgTable(
  'device_version_history',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    component: text().notNull(),
    version: text(),
    at: moment('at').notNull(),
  },
  (table) => [
    index('device_version_history_by_device').on(table.deviceId, table.at),
    index('device_version_history_by_age').using('brin', table.at),
  ],
);

/** Registered versions of components. */
export const softwareVersion = pgTable(
  'software_version',
  {
    component: text().notNull(),
    version: text().notNull(),
    models: jsonb().$type<string[]>().notNull().default([]),
    channel: text().notNull().default('stable'),
    state: text().$type<SoftwareVersionState>().notNull().default('draft'),
    releasedAt: moment('released_at'),
    notes: text().notNull().default(''),
    createdAt: moment('created_at').notNull().default(portalNow),
    createdBy: text('created_by').notNull().default(''),
    /** The file that devices install: its name in the store, and its expected hash. */
    artifactName: text('artifact_name'),
    artifactKey: text('artifact_key'),
    artifactBytes: bigint('artifact_bytes', { mode: 'number' }),
    artifactSha256: text('artifact_sha256'),
    /** Number of changes, from 1: the newest one of this installation and an outside table applies. */
    revision: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.component, table.version] })],
);

/** TAV: the approved version of a component for a model (`*` for all), optionally for one country. */
export const versionApproval = pgTable(
  'version_approval',
  {
    component: text().notNull(),
    model: text().notNull(),
    /** `*` for all. */
    country: text().notNull().default('*'),
    version: text().notNull(),
    approvedBy: text('approved_by').notNull(),
    approvedAt: moment('approved_at').notNull().default(portalNow),
    mandatoryFrom: moment('mandatory_from'),
  },
  (table) => [primaryKey({ columns: [table.component, table.model, table.country] })],
);

/**
 * Number of devices per model, country, and version, with their approval state (`state`, a TAV
 * state; null if no version of the component is approved). Unknown models and countries are ''.
 * Maintained by triggers, see the migration.
 */
export const versionCell = pgTable(
  'version_cell',
  {
    component: text().notNull(),
    version: text().notNull(),
    model: text().notNull(),
    country: text().notNull(),
    devices: integer().notNull().default(0),
    state: text().$type<TavState>(),
  },
  (table) => [
    primaryKey({ columns: [table.component, table.version, table.model, table.country] }),
    index('version_cell_by_state')
      .on(table.state, table.component, table.version)
      .where(sql`${table.state} is not null`),
  ],
);

/**
 * Changes of these counts that are not yet added to them. Insert-only, so that writers do not wait
 * for each other.
 */
export const versionCellDelta = pgTable('version_cell_delta', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  component: text().notNull(),
  version: text().notNull(),
  model: text().notNull(),
  country: text().notNull(),
  devices: integer().notNull(),
});

/**
 * Approval state of each component of a device that has approvals; component '' is the worst of
 * them. Without retired devices. Contains copies of the device's sort keys, for filters with any
 * sort order. Maintained by triggers, and after a change of approvals by `restate-devices.ts`.
 */
export const deviceTav = pgTable(
  'device_tav',
  {
    deviceId: uuid('device_id').notNull(),
    component: text().notNull(),
    state: text().$type<TavState>().notNull(),
    serialRank: text('serial_rank').notNull(),
    name: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.deviceId, table.component] }),
    index('device_tav_by_serial').on(
      table.component,
      table.state,
      sql`${table.serialRank} collate "C"`,
      table.deviceId,
    ),
    index('device_tav_by_name').on(
      table.component,
      table.state,
      sql`${table.name} collate "C"`,
      table.deviceId,
    ),
  ],
);

/** Versions whose approval state changed, until the devices that run them are updated. */
export const versionRestate = pgTable(
  'version_restate',
  {
    component: text().notNull(),
    version: text().notNull(),
    /** Number of changes: a round for an earlier change does not complete this one. */
    generation: integer().notNull().default(1),
    /** Number of devices to check, and number checked so far. */
    devices: integer().notNull(),
    done: integer().notNull().default(0),
    /** All devices up to this one were checked. */
    after: uuid(),
    /** A transaction that began after the change: when all earlier ones have ended, none uses the previous state. */
    horizon: bigint({ mode: 'number' }),
    /** Whether that was the case when this round over the devices began. */
    settled: boolean().notNull().default(false),
    since: moment('since').notNull().default(portalNow),
  },
  (table) => [primaryKey({ columns: [table.component, table.version] })],
);

/** Number of devices per version at the end of each day (UTC). */
export const versionAdoption = pgTable(
  'version_adoption',
  {
    component: text().notNull(),
    day: date({ mode: 'string' }).notNull(),
    version: text().notNull(),
    model: text().notNull(),
    country: text().notNull(),
    devices: integer().notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.component, table.day, table.version, table.model, table.country],
    }),
  ],
);
