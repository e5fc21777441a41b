import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** A managed instance of AWS Systems Manager, and the device as which it appears. */
export const managedInstance = pgTable('managed_instance', {
  deviceId: uuid('device_id').primaryKey(),
  /** `i-…` for EC2, `mi-…` for a hybrid node. */
  instanceId: text('instance_id').notNull().unique(),
  resourceType: text('resource_type').notNull(),
  /** The last time that Systems Manager listed it. */
  listedAt: moment('listed_at').notNull(),
});

/** A document as published to Systems Manager, by its content. */
export const ssmDocument = pgTable(
  'ssm_document',
  {
    region: text().notNull(),
    name: text().notNull(),
    /** SHA-256 of the content that was published. */
    contentSha256: text('content_sha256').notNull(),
    version: text().notNull(),
    /** As computed by Systems Manager; every command is pinned to it. */
    hash: text().notNull(),
    hashType: text('hash_type').notNull(),
    publishedAt: moment('published_at').notNull().default(portalNow),
  },
  (table) => [primaryKey({ columns: [table.region, table.name, table.contentSha256] })],
);

/**
 * Invocations that are sent by one SendCommand. Stored before the call, which has no client token: its comment contains
 * the ID of the batch, so that a call without an answer can be found.
 */
export const ssmBatch = pgTable(
  'ssm_batch',
  {
    id: uuid().primaryKey(),
    runId: uuid('run_id').notNull(),
    /** Null until it is known that the command exists. */
    commandId: text('command_id'),
    /** Calls of SendCommand that may have created the command. */
    attempts: integer().notNull().default(0),
    createdAt: moment('created_at').notNull().default(portalNow),
    /** Not sent, searched, or read before. */
    dueAt: moment('due_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('ssm_batch_due')
      .on(table.dueAt)
      .where(sql`${table.endedAt} is null`),
    index('ssm_batch_by_command')
      .on(table.commandId)
      .where(sql`${table.endedAt} is null`),
    index('ssm_batch_ended')
      .on(table.endedAt)
      .where(sql`${table.endedAt} is not null`),
  ],
);

export const ssmBatchInvocation = pgTable(
  'ssm_batch_invocation',
  {
    invocationId: uuid('invocation_id').primaryKey(),
    batchId: uuid('batch_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    instanceId: text('instance_id').notNull(),
  },
  (table) => [index('ssm_batch_invocation_by_batch').on(table.batchId)],
);
