import type {
  WebhookDeliveryState,
  WebhookEventType,
  WebhookPauseReason,
} from '@deviceportal/contract/webhooks';
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

const position = (name: string) => bigint(name, { mode: 'number' });

/** Subscriptions of applications. A webhook sends what its owner sees. */
export const webhook = pgTable(
  'webhook',
  {
    id: uuid().primaryKey(),
    ownerId: uuid('owner_id').notNull(),
    name: text().notNull(),
    eventTypes: text('event_types').array().$type<WebhookEventType[]>().notNull(),
    /** Address and secrets, encrypted with a key outside the database. */
    sealed: text().notNull(),
    /** Until then, the replaced secret signs as well. */
    rotatingUntil: moment('rotating_until'),
    pausedBecause: text('paused_because').$type<WebhookPauseReason>(),
    pausedAt: moment('paused_at'),
    /** Position in the audit trail up to which requests are prepared: what follows is the queue. */
    preparedUpTo: position('prepared_up_to').notNull(),
    /** Number of the next event. */
    nextNumber: position('next_number').notNull().default(1),
    /** Requests that were given up since the last success. */
    failures: integer().notNull().default(0),
    lastDeliveredAt: moment('last_delivered_at'),
    createdAt: moment('created_at').notNull().default(portalNow),
  },
  (table) => [
    index('webhook_of_owner').on(table.ownerId),
    index('webhook_active')
      .on(table.preparedUpTo)
      .where(sql`${table.pausedBecause} is null`),
  ],
);

/** Prepared requests. The ID is the idempotency key of receivers. What is sent is read at the time of each attempt. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid().primaryKey(),
    webhookId: uuid('webhook_id').notNull(),
    /** Events of the audit trail, in its order. */
    eventIds: uuid('event_ids').array().notNull(),
    /** Number of the first event. */
    firstNumber: position('first_number').notNull(),
    /** Set instead of events: those up to this time are left out, because they waited for too long. */
    gapUntil: moment('gap_until'),
    state: text().$type<WebhookDeliveryState>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    /** Until then an attempt has claimed it, or it waits. */
    freeAt: moment('free_at').notNull(),
    lastError: text('last_error'),
    status: integer(),
    durationMs: integer('duration_ms'),
    createdAt: moment('created_at').notNull(),
    /** When it was created, or sent again by its owner. */
    queuedAt: moment('queued_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('webhook_delivery_open')
      .on(table.freeAt)
      .where(sql`${table.endedAt} is null`),
    index('webhook_delivery_of_webhook').on(table.webhookId, table.id),
    index('webhook_delivery_ended').on(table.endedAt),
  ],
);
