import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type {
  TicketAct,
  TicketSystemKind,
  TicketSystemSettings,
} from '@deviceportal/contract/ticket-systems';
import { moment, portalNow } from '../../platform/columns.ts';
import type { DeliveryState } from '../../platform/deliveries/delivery-outbox.ts';

/** The ticket system of this installation: at most one row. */
export const ticketSystem = pgTable('ticket_system', {
  id: uuid().primaryKey(),
  isOnly: boolean('is_only').notNull().unique().default(true),
  /** Without the secret. */
  settings: jsonb().$type<TicketSystemSettings>().notNull(),
  /** The secret, encrypted with a key outside the database. */
  sealed: text().notNull(),
  changedAt: moment('changed_at').notNull().default(portalNow),
});

/** The ticket of a case. */
export const caseTicket = pgTable('case_ticket', {
  caseId: uuid('case_id').primaryKey(),
  kind: text().$type<TicketSystemKind>().notNull(),
  /** By which the system finds it: the key in Jira, `sys_id` in ServiceNow. Null until it is created. */
  externalId: text('external_id'),
  key: text(),
  url: text(),
  createdAt: moment('created_at').notNull().default(portalNow),
});

/** Outbox of what is sent to the ticket system, in the order of a case. */
export const ticketDelivery = pgTable(
  'ticket_delivery',
  {
    id: uuid().primaryKey(),
    caseId: uuid('case_id').notNull(),
    act: text().$type<TicketAct>().notNull(),
    /** The entry of the case that it reports; null for the creation. Its text is read when it is sent. */
    entryId: uuid('entry_id'),
    state: text().$type<DeliveryState>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    /** Until then an attempt has claimed it, or it waits. */
    freeAt: moment('free_at').notNull(),
    lastError: text('last_error'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('ticket_delivery_open')
      .on(table.freeAt)
      .where(sql`${table.endedAt} is null`),
    index('ticket_delivery_of_case').on(table.caseId, table.id),
    index('ticket_delivery_ended').on(table.endedAt),
  ],
);
