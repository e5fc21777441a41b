import type {
  AlertCondition,
  AlertDeliveryState,
  AlertDestinationKind,
  AlertEndReason,
  AlertEvent,
  AlertPhase,
  AlertRuleProblem,
  AlertSeverity,
  AlertUnit,
} from '@deviceportal/contract/alerts';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { MaintenanceWindow } from '@deviceportal/contract/maintenance-windows';
import { sql } from 'drizzle-orm';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';
import type { AlertNotice } from '../alert-notice.ts';

/** Rules with the state of their last evaluation. A rule sees the devices that its owner sees. */
export const alertRule = pgTable(
  'alert_rule',
  {
    id: uuid().primaryKey(),
    ownerId: uuid('owner_id').notNull(),
    /** Counts changes by users. */
    revision: integer().notNull().default(1),
    name: text().notNull(),
    severity: text().$type<AlertSeverity>().notNull(),
    enabled: boolean().notNull(),
    mutedUntil: moment('muted_until'),
    excludesChanging: boolean('excludes_changing').notNull().default(true),
    maintenance: jsonb().$type<MaintenanceWindow[]>().notNull().default([]),
    /** Whether an alert opens cases for the people who own its devices. */
    opensCase: boolean('opens_case').notNull().default(false),
    noticesPausedUntil: moment('notices_paused_until'),
    filter: jsonb().$type<DeviceFilter>().notNull(),
    condition: jsonb().$type<AlertCondition>().notNull(),
    unit: text().$type<AlertUnit>().notNull(),
    above: doublePrecision().notNull(),
    resolveAt: doublePrecision('resolve_at').notNull(),
    holdMinutes: integer('hold_minutes').notNull(),
    resolveMinutes: integer('resolve_minutes').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    phase: text().$type<AlertPhase>().notNull().default('ok'),
    phaseSince: moment('phase_since').notNull().default(portalNow),
    matching: integer(),
    total: integer(),
    evaluatedAt: moment('evaluated_at'),
    nextAt: moment('next_at').notNull().default(portalNow),
    problem: text().$type<AlertRuleProblem>(),
  },
  (table) => [
    index('alert_rule_due')
      .on(table.nextAt)
      .where(sql`${table.enabled}`),
    index('alert_rule_of_owner').on(table.ownerId),
  ],
);

export const alertDestination = pgTable(
  'alert_destination',
  {
    id: uuid().primaryKey(),
    ruleId: uuid('rule_id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    kind: text().$type<AlertDestinationKind>().notNull(),
    /** Addresses, keys, and secrets, encrypted with a key outside the database. */
    sealed: text().notNull(),
    position: integer().notNull(),
  },
  (table) => [
    index('alert_destination_of_rule').on(table.ruleId),
    index('alert_destination_of_owner').on(table.ownerId),
  ],
);

/** Alerts of rules: one is firing per rule at most. */
export const alert = pgTable(
  'alert',
  {
    id: uuid().primaryKey(),
    ruleId: uuid('rule_id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    ruleName: text('rule_name').notNull(),
    severity: text().$type<AlertSeverity>().notNull(),
    filter: jsonb().$type<DeviceFilter>().notNull(),
    condition: jsonb().$type<AlertCondition>().notNull(),
    unit: text().$type<AlertUnit>().notNull(),
    above: doublePrecision().notNull(),
    startedAt: moment('started_at').notNull(),
    /** When its start was sent; null if it was not, because there were too many. */
    announcedAt: moment('announced_at'),
    resolvedAt: moment('resolved_at'),
    reason: text().$type<AlertEndReason>(),
    matching: integer().notNull(),
    total: integer().notNull(),
    peak: integer().notNull(),
    /** Cases that it opened or joined. */
    caseIds: uuid('case_ids')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    uniqueIndex('alert_firing')
      .on(table.ruleId)
      .where(sql`${table.resolvedAt} is null`),
    index('alert_by_start').on(table.startedAt, table.id),
    index('alert_announced_of_owner').on(table.ownerId, table.announcedAt),
    index('alert_announced_of_rule').on(table.ruleId, table.announcedAt),
    index('alert_by_end').on(table.resolvedAt),
  ],
);

/** Outbox of state changes. The ID is the idempotency key of receivers. */
export const alertDelivery = pgTable(
  'alert_delivery',
  {
    id: uuid().primaryKey(),
    alertId: uuid('alert_id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    destinationId: uuid('destination_id').notNull(),
    kind: text().$type<AlertDestinationKind>().notNull(),
    event: text().$type<AlertEvent>().notNull(),
    notice: jsonb().$type<AlertNotice>().notNull(),
    /** Copy of the destination, so that changes and deletions of the rule lose no delivery. Null once it has ended. */
    sealed: text(),
    state: text().$type<AlertDeliveryState>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    /** Until then an attempt has claimed it, or it waits. */
    freeAt: moment('free_at').notNull(),
    lastError: text('last_error'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('alert_delivery_open')
      .on(table.freeAt)
      .where(sql`${table.endedAt} is null`),
    index('alert_delivery_of_alert').on(table.alertId, table.id),
    index('alert_delivery_of_owner').on(table.ownerId),
    index('alert_delivery_ended').on(table.endedAt),
  ],
);

/** Tests, and deliveries that a user sent again: one row for each address. Kept for a day. */
export const alertManualMessage = pgTable(
  'alert_manual_message',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    /** A keyed digest. */
    address: text().notNull(),
    sentAt: moment('sent_at').notNull(),
  },
  (table) => [
    index('alert_manual_message_of_user').on(table.userId, table.sentAt),
    index('alert_manual_message_of_address').on(table.address, table.sentAt),
    index('alert_manual_message_by_time').on(table.sentAt),
  ],
);
