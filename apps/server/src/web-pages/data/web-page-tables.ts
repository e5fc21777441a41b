import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type {
  WebPageEndReason,
  WebPageObstacle,
  WebPageState,
} from '@deviceportal/contract/web-pages';
import { moment, portalNow } from '../../platform/columns.ts';
import type { LinkHolder } from '../../platform/person-links.ts';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/** A web page of a device that a user opened. */
export const webPageSession = pgTable(
  'web_page_session',
  {
    id: uuid().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    username: text().notNull(),
    reason: text().notNull(),
    port: integer().notNull(),
    title: text().notNull(),
    state: text().$type<WebPageState>().notNull(),
    openedAt: moment('opened_at').notNull().default(portalNow),
    /** The last time that the device answered. */
    seenAt: moment('seen_at').notNull().default(portalNow),
    /** The last request of the browser. */
    usedAt: moment('used_at').notNull().default(portalNow),
    endsAt: moment('ends_at').notNull(),
    endedAt: moment('ended_at'),
    endReason: text('end_reason').$type<WebPageEndReason>(),
    endedById: uuid('ended_by_id'),
    /** Why the device refused it. */
    obstacle: text().$type<WebPageObstacle>(),
    needsConsent: boolean('needs_consent').notNull().default(false),
    /** SHA-256 of the request that the device received, for the consent. */
    requestSha256: text('request_sha256').notNull(),
    /** When the device began to ask a person. */
    consentAskedAt: moment('consent_asked_at'),
    /** The first label of its host name; random, and never used again. */
    label: text().notNull(),
    /** The rights with which it was opened, and where they applied. It ends with them. */
    holder: jsonb().$type<LinkHolder>().notNull(),
    scopes: jsonb().$type<readonly Scope[]>().notNull(),
    /** SHA-256 of the link that works once, and until when. */
    linkSha256: text('link_sha256'),
    linkEndsAt: moment('link_ends_at'),
    /** SHA-256 of the cookie of the browser that used the last link. */
    cookieSha256: text('cookie_sha256'),
    requests: count('requests'),
    /** Bodies of requests and responses. */
    sentBytes: count('sent_bytes'),
    receivedBytes: count('received_bytes'),
  },
  (table) => [
    uniqueIndex('web_page_session_label').on(table.label),
    index('web_page_session_of_device').on(table.deviceId, table.openedAt),
    index('web_page_session_of_user').on(table.userId),
    index('web_page_session_by_time').on(table.openedAt),
    index('web_page_session_open')
      .on(table.openedAt)
      .where(sql`${table.state} <> 'ended'`),
  ],
);

/** How often an open session requested a path. Moved to the audit trail at its end. */
export const webPagePath = pgTable(
  'web_page_path',
  {
    sessionId: uuid('session_id').notNull(),
    method: text().notNull(),
    /** Without the query; empty for all further ones. */
    path: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.method, table.path] })],
);
