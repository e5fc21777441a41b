import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type {
  TerminalConsentRule,
  TerminalEndReason,
  TerminalOfferState,
  TerminalState,
} from '@deviceportal/contract/terminals';
import { moment, portalNow } from '../../platform/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** A terminal that a user opened on a device. */
export const terminalSession = pgTable(
  'terminal_session',
  {
    id: uuid().primaryKey(),
    deviceId: uuid('device_id').notNull(),
    userId: uuid('user_id').notNull(),
    username: text().notNull(),
    /** The sign-in that opened it; no other one can continue it. */
    signInId: text('sign_in_id'),
    reason: text().notNull(),
    state: text().$type<TerminalState>().notNull(),
    openedAt: moment('opened_at').notNull().default(portalNow),
    /** The last time that a server held the session. */
    seenAt: moment('seen_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
    endReason: text('end_reason').$type<TerminalEndReason>(),
    endedById: uuid('ended_by_id'),
    exitCode: integer('exit_code'),
    /** Why the device refused it. */
    obstacle: text().$type<TerminalOfferState>(),
    /** The account on the device. */
    account: text(),
    columns: integer().notNull(),
    rows: integer().notNull(),
    /** Whether a person at the device must agree, as the request states. */
    needsConsent: boolean('needs_consent').notNull().default(false),
    /** SHA-256 of the request that the device received, for the consent. */
    requestSha256: text('request_sha256'),
    /** When the device began to ask a person. */
    consentAskedAt: moment('consent_asked_at'),
    /** Counts the browsers that were attached, one after the other. */
    attachment: integer().notNull().default(0),
    /** Bytes of output that are recorded. */
    recordedBytes: bigint('recorded_bytes', { mode: 'number' }).notNull().default(0),
    /** SHA-256 of the recording as asciicast v2; null until it is sealed. */
    sha256: text(),
    /** When the recording was deleted. */
    expiredAt: moment('expired_at'),
  },
  (table) => [
    index('terminal_session_of_device').on(table.deviceId, table.openedAt),
    index('terminal_session_of_user').on(table.userId),
    index('terminal_session_by_time').on(table.openedAt),
    index('terminal_session_open')
      .on(table.seenAt)
      .where(sql`${table.state} <> 'ended'`),
    index('terminal_session_unsealed')
      .on(table.endedAt)
      .where(sql`${table.state} = 'ended' and ${table.sha256} is null`),
  ],
);

/** Whether terminals of a device model need consent. Models without a row do not. */
export const terminalModelConsent = pgTable('terminal_model_consent', {
  model: text().primaryKey(),
  consent: text().$type<TerminalConsentRule>().notNull(),
  changedById: uuid('changed_by_id').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: moment('changed_at').notNull().default(portalNow),
});

/** A user who watches an open session. Deleted at the end; the audit trail contains who watched. */
export const terminalWatcher = pgTable(
  'terminal_watcher',
  {
    id: uuid().primaryKey(),
    sessionId: uuid('session_id').notNull(),
    userId: uuid('user_id').notNull(),
    username: text().notNull(),
    joinedAt: moment('joined_at').notNull().default(portalNow),
    /** The last time that a server held the connection. */
    seenAt: moment('seen_at').notNull().default(portalNow),
  },
  (table) => [index('terminal_watcher_of_session').on(table.sessionId)],
);

/** Output and changes of size of a session, in order. */
export const terminalEvent = pgTable(
  'terminal_event',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    sessionId: uuid('session_id').notNull(),
    kind: text().$type<'output' | 'size'>().notNull(),
    /** Output: the position of its first byte. A size: the position of the next byte. */
    position: bigint({ mode: 'number' }).notNull(),
    /** Milliseconds since the session was opened. */
    afterMs: integer('after_ms').notNull(),
    data: bytes().notNull(),
  },
  (table) => [index('terminal_event_of_session').on(table.sessionId, table.id)],
);
