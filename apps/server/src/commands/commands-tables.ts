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
import { moment } from '../platform/columns.ts';

/** A catalogue entry: `{name}` or `{name}/{sub}` bound to a document. */
export const commandDefinition = pgTable('command_definition', {
  command: text().primaryKey(),
  documentName: text('document_name'),
  consequence: text().notNull(),
  needsSerialNumber: boolean('needs_serial_number').notNull().default(false),
  group: text('command_group').notNull(),
  description: text().notNull(),
  position: integer().notNull(),
});

/** One sending of a command to one or many devices. */
export const commandRun = pgTable(
  'command_run',
  {
    id: uuid().primaryKey(),
    idempotencyKey: uuid('idempotency_key').notNull(),
    command: text().notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    documentSha256: text('document_sha256').notNull(),
    consequence: text().notNull(),
    /** As sent to devices. Secret ones are encrypted here and masked everywhere else. */
    parameters: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    maskedParameters: jsonb('masked_parameters')
      .$type<Record<string, unknown>>()
      .notNull()
      .default({}),
    target: jsonb().$type<Record<string, unknown>>().notNull(),
    targetSha256: text('target_sha256').notNull(),
    maxConcurrency: text('max_concurrency').notNull(),
    maxErrors: text('max_errors').notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    executionTimeoutSeconds: integer('execution_timeout_seconds').notNull(),
    comment: text().notNull().default(''),
    state: text().notNull(),
    statusDetails: text('status_details').notNull(),
    /** How many may be in flight now; ramps 1, 2, 4 … up to the concurrency, except where that is 100%. */
    rampLimit: integer('ramp_limit').notNull().default(1),
    targetCount: integer('target_count').notNull(),
    pendingCount: integer('pending_count').notNull(),
    inProgressCount: integer('in_progress_count').notNull().default(0),
    successCount: integer('success_count').notNull().default(0),
    failedCount: integer('failed_count').notNull().default(0),
    timedOutCount: integer('timed_out_count').notNull().default(0),
    cancelledCount: integer('cancelled_count').notNull().default(0),
    createdById: uuid('created_by_id').notNull(),
    createdBy: text('created_by').notNull(),
    requestId: text('request_id').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    deliverBefore: moment('deliver_before').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('command_run_idempotency').on(table.createdById, table.idempotencyKey),
    index('command_run_newest').on(table.createdAt, table.id),
    index('command_run_by_document').on(table.documentName, table.createdAt),
    index('command_run_open')
      .on(table.createdAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** A run on one device instance. */
export const invocation = pgTable(
  'invocation',
  {
    id: uuid().primaryKey(),
    runId: uuid('run_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    instanceId: text('instance_id'),
    state: text().notNull(),
    statusDetails: text('status_details').notNull(),
    attempt: integer().notNull().default(1),
    responseCode: integer('response_code'),
    queuedAt: moment('queued_at').notNull(),
    sentAt: moment('sent_at'),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    /** The last time the device said anything about it. */
    newsAt: moment('news_at'),
    deliverBefore: moment('deliver_before').notNull(),
    expiresAt: moment('expires_at').notNull(),
    cancelRequestedAt: moment('cancel_requested_at'),
    steps: jsonb().$type<Record<string, unknown>[]>().notNull().default([]),
    /** First characters of the output, for lists. */
    outputPreview: text('output_preview').notNull().default(''),
    stdoutLength: bigint('stdout_length', { mode: 'number' }).notNull().default(0),
    stderrLength: bigint('stderr_length', { mode: 'number' }).notNull().default(0),
    outputTruncated: boolean('output_truncated').notNull().default(false),
  },
  (table) => [
    index('invocation_by_run').on(table.runId, table.state, table.id),
    index('invocation_by_device').on(table.deviceId, table.queuedAt, table.id),
    // What a device still has to do, asked at every connect.
    index('invocation_open_by_device')
      .on(table.deviceId)
      .where(sql`${table.endedAt} is null`),
    index('invocation_open_by_expiry')
      .on(table.expiresAt)
      .where(sql`${table.endedAt} is null`),
    index('invocation_undelivered')
      .on(table.deliverBefore)
      .where(sql`${table.endedAt} is null and ${table.startedAt} is null`),
  ],
);

/** Output as it arrived, in pieces. */
export const invocationOutput = pgTable(
  'invocation_output',
  {
    invocationId: uuid('invocation_id').notNull(),
    stream: text().notNull(),
    offset: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.invocationId, table.stream, table.offset] })],
);

/** A file that a document collected; its bytes lie in the artefact store. */
export const invocationArtefact = pgTable(
  'invocation_artefact',
  {
    id: uuid().primaryKey(),
    invocationId: uuid('invocation_id').notNull(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    storageKey: text('storage_key').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('invocation_artefact_by_name').on(table.invocationId, table.name)],
);
