import { bigserial, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../platform/columns.ts';

/** What a device runs now, one row per component. */
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

/** What it ran before: a row each time a component's version changed. */
export const deviceVersionHistory = pgTable(
  'device_version_history',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    deviceId: uuid('device_id').notNull(),
    component: text().notNull(),
    version: text(),
    at: moment('at').notNull(),
  },
  (table) => [index('device_version_history_by_device').on(table.deviceId, table.at)],
);

export const softwareVersion = pgTable(
  'software_version',
  {
    component: text().notNull(),
    version: text().notNull(),
    models: jsonb().$type<string[]>().notNull().default([]),
    channel: text().notNull().default('stable'),
    state: text().notNull().default('draft'),
    releasedAt: moment('released_at'),
    notes: text().notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.component, table.version] })],
);

/** TAV: a version approved for a component on a model, optionally in one country. */
export const versionApproval = pgTable(
  'version_approval',
  {
    component: text().notNull(),
    model: text().notNull(),
    /** `*` for all. */
    country: text().notNull().default('*'),
    version: text().notNull(),
    approvedBy: text('approved_by').notNull(),
    approvedAt: moment('approved_at').notNull().defaultNow(),
    mandatoryFrom: moment('mandatory_from'),
  },
  (table) => [primaryKey({ columns: [table.component, table.model, table.country] })],
);
