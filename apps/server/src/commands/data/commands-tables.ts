import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import type { InvocationStep } from '@deviceportal/contract/invocations';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { RunApproval } from '@deviceportal/contract/run-approvals';
import type { RunRule } from '@deviceportal/contract/run-rules';
import type { MissedRule, ScheduleTimes } from '@deviceportal/contract/schedules';
import type {
  InvocationState,
  RunState,
  ScheduleState,
  StatusDetails,
} from '@deviceportal/contract/states';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';
import type { PlannedEffect } from '../effect/planned-effect.ts';
import type { StoredParameters } from '../parameters/parameter-vault.ts';
import type { PinnedDocument } from '../pinned-document.ts';
import type { Authorization } from '../signing/authorization.ts';

/** A catalog entry: `{name}` or `{name}/{sub}` bound to a document. */
export const commandDefinition = pgTable('command_definition', {
  command: text().primaryKey(),
  documentName: text('document_name'),
  consequence: text().$type<Consequence>().notNull(),
  needsSerialNumber: boolean('needs_serial_number').notNull().default(false),
  group: text('command_group').$type<CommandDefinition['group']>().notNull(),
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
    consequence: text().$type<Consequence>().notNull(),
    /** As sent to devices. Secret ones are encrypted here and masked everywhere else. */
    parameters: jsonb().$type<StoredParameters>().notNull().default({}),
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
    /** The case in which it was sent. */
    caseId: uuid('case_id'),
    state: text().$type<RunState>().notNull(),
    statusDetails: text('status_details').$type<StatusDetails>().notNull(),
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
    createdAt: moment('created_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
    pausedAt: moment('paused_at'),
    pausedBy: text('paused_by'),
    deliverBefore: moment('deliver_before').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** The run that this one takes back. */
    undoesRunId: uuid('undoes_run_id'),
    /** What the document runs by `aws:runDocument`, with the versions of the moment in which the run was made. */
    subDocuments: jsonb('sub_documents').$type<PinnedDocument[]>().notNull().default([]),
  },
  (table) => [
    uniqueIndex('command_run_idempotency').on(table.createdById, table.idempotencyKey),
    index('command_run_newest').on(table.createdAt, table.id),
    index('command_run_by_document').on(table.documentName, table.createdAt),
    // The values that somebody used last for a document.
    index('command_run_by_person').on(table.createdById, table.documentName, table.createdAt),
    index('command_run_undo')
      .on(table.undoesRunId)
      .where(sql`${table.undoesRunId} is not null`),
    index('command_run_by_case')
      .on(table.caseId)
      .where(sql`${table.caseId} is not null`),
    index('command_run_open')
      .on(table.createdAt)
      .where(sql`${table.endedAt} is null`),
    index('command_run_open_by_person')
      .on(table.createdById)
      .where(sql`${table.endedAt} is null`),
  ],
);

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * What was signed when a run was authorized, as devices get it. They check it: what is changed here, or beside it, is
 * refused by every device.
 */
export const runSignature = pgTable('run_signature', {
  runId: uuid('run_id').primaryKey(),
  /** The exact text that is signed. */
  statement: text().notNull(),
  signatures: jsonb().$type<{ keyId: string; signature: string }[]>().notNull(),
  /** Encrypted: with it the digest of short secrets could be guessed. */
  blinding: text().notNull(),
  /** The targets' ids, 16 bytes each, sorted: the leaves of the tree whose root is signed. */
  deviceIds: bytea('device_ids').notNull(),
});

/** A run on one device instance. */
export const invocation = pgTable(
  'invocation',
  {
    id: uuid().primaryKey(),
    runId: uuid('run_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    instanceId: text('instance_id'),
    state: text().$type<InvocationState>().notNull(),
    statusDetails: text('status_details').$type<StatusDetails>().notNull(),
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
    steps: jsonb().$type<InvocationStep[]>().notNull().default([]),
    /** First characters of the output, for lists. */
    outputPreview: text('output_preview').notNull().default(''),
    stdoutLength: bigint('stdout_length', { mode: 'number' }).notNull().default(0),
    stderrLength: bigint('stderr_length', { mode: 'number' }).notNull().default(0),
    /** What its output has used of the limit, both streams together, in UTF-16 units. */
    outputStored: bigint('output_stored', { mode: 'number' }).notNull().default(0),
    outputTruncated: boolean('output_truncated').notNull().default(false),
  },
  (table) => [
    index('invocation_by_run').on(table.runId, table.state, table.id),
    index('invocation_by_device').on(table.deviceId, table.queuedAt, table.id),
    // What a device still has to do, asked at every connect. What has run out of time is found by its run: every
    // further index here is written several times in the life of each invocation.
    index('invocation_open_by_device')
      .on(table.deviceId)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Output as it arrived, in pieces. */
export const invocationOutput = pgTable(
  'invocation_output',
  {
    invocationId: uuid('invocation_id').notNull(),
    stream: text().$type<'stdout' | 'stderr'>().notNull(),
    offset: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.invocationId, table.stream, table.offset] })],
);

/** From how many devices on runs of a class need a second person, or a rollout in their place; the defaults without rows. */
export const runRule = pgTable('run_rule', {
  consequence: text().$type<RunRule['consequence']>().primaryKey(),
  approvalFrom: integer('approval_from'),
  airBlastFrom: integer('air_blast_from'),
  changedBy: text('changed_by').notNull(),
  changedAt: moment('changed_at').notNull(),
});

/** A run that waits for its second person, or had one. It is signed for its devices only when it is approved. */
export const runApproval = pgTable('run_approval', {
  runId: uuid('run_id').primaryKey(),
  /** Everything that was to happen when it was requested. */
  effect: jsonb().$type<PlannedEffect>().notNull(),
  effectSha256: text('effect_sha256').notNull(),
  decision: text().$type<NonNullable<RunApproval['decision']>['verdict']>(),
  decidedById: uuid('decided_by_id'),
  decidedBy: text('decided_by'),
  decidedAt: moment('decided_at'),
  comment: text().notNull().default(''),
});

/** Devices that a person was shown before a run, to tell what has changed when the run would reach others. */
export const shownTarget = pgTable(
  'shown_target',
  {
    userId: uuid('user_id').notNull(),
    /** Over the ids, sorted, one a line. */
    sha256: text().notNull(),
    deviceCount: integer('device_count').notNull(),
    deviceIds: uuid('device_ids').array().notNull(),
    shownAt: moment('shown_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sha256] })],
);

/**
 * What became of a run that has ended, counted by what its devices were then: model, country and labels, the last two
 * for the scopes of those who look. Only invocations that succeeded or failed count.
 */
export const runOutcome = pgTable(
  'run_outcome',
  {
    runId: uuid('run_id').notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    isUndo: boolean('is_undo').notNull(),
    model: text().notNull(),
    country: text(),
    labels: jsonb().$type<Record<string, string>>().notNull(),
    succeeded: integer().notNull(),
    failed: integer().notNull(),
    endedAt: moment('ended_at').notNull(),
  },
  (table) => [
    index('run_outcome_history').on(
      table.documentName,
      table.documentVersion,
      table.isUndo,
      table.model,
      table.endedAt,
    ),
  ],
);

/** A distinct answer of a run: how invocations ended and what they said, without what differs everywhere. */
export const runAnswer = pgTable(
  'run_answer',
  {
    runId: uuid('run_id').notNull(),
    sha256: text().notNull(),
    statusDetails: text('status_details').$type<StatusDetails>().notNull(),
    responseCode: integer('response_code'),
    /** The first characters of the normalized output, secrets hidden. */
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.sha256] })],
);

/** Which answer an ended invocation gave; written when somebody first asks for its run's answers. */
export const invocationAnswer = pgTable(
  'invocation_answer',
  {
    invocationId: uuid('invocation_id').primaryKey(),
    runId: uuid('run_id').notNull(),
    deviceId: uuid('device_id').notNull(),
    sha256: text().notNull(),
  },
  (table) => [index('invocation_answer_by_run').on(table.runId, table.sha256, table.deviceId)],
);

/** A command that runs later or again and again, with its creator's rights of each time. */
export const runSchedule = pgTable(
  'run_schedule',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    command: text().notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    consequence: text().$type<Consequence>().notNull(),
    /** Secret ones are encrypted. */
    parameters: jsonb().$type<StoredParameters>().notNull(),
    maskedParameters: jsonb('masked_parameters').$type<Record<string, unknown>>().notNull(),
    target: jsonb().$type<CommandTarget>().notNull(),
    /** Devices of a frozen set; null where the target is looked up anew each time. */
    frozenCount: integer('frozen_count'),
    /** Where it would reach more devices, it is paused instead. */
    maxDevices: integer('max_devices').notNull(),
    /** How many it would have reached when it was paused for that. */
    exceedingCount: integer('exceeding_count'),
    maxConcurrency: text('max_concurrency').notNull(),
    maxErrors: text('max_errors').notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    comment: text().notNull().default(''),
    times: jsonb().$type<ScheduleTimes>().notNull(),
    missed: text().$type<MissedRule>().notNull(),
    state: text().$type<ScheduleState>().notNull(),
    nextAt: moment('next_at'),
    lastAt: moment('last_at'),
    lastRunId: uuid('last_run_id'),
    lastError: text('last_error'),
    createdById: uuid('created_by_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdBySubject: text('created_by_subject').notNull(),
    createdAt: moment('created_at').notNull(),
    /** The temporary access by which it was made, and with which it ends. */
    accessGrantId: uuid('access_grant_id'),
    /** Signed when it was created; compared before each run. Null in a schedule that is older than signatures. */
    authorization: jsonb('signed_authorization').$type<Authorization>(),
  },
  (table) => [
    index('run_schedule_by_person').on(table.createdById),
    index('run_schedule_by_access_grant')
      .on(table.accessGrantId)
      .where(sql`${table.accessGrantId} is not null`),
    index('run_schedule_due')
      .on(table.nextAt)
      .where(sql`${table.state} = 'active'`),
  ],
);

/** A file that a document collected; its bytes lie in the artifact store. */
export const invocationArtifact = pgTable(
  'invocation_artifact',
  {
    id: uuid().primaryKey(),
    invocationId: uuid('invocation_id').notNull(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    sha256: text().notNull(),
    storageKey: text('storage_key').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    /** SHA-256 of the file by the journal of its device; null until the journal has come. */
    reportedSha256: text('reported_sha256'),
    /** Null for files from before it was kept. */
    deviceId: uuid('device_id'),
  },
  (table) => [
    uniqueIndex('invocation_artifact_by_name').on(table.invocationId, table.name),
    index('invocation_artifact_by_device').on(table.deviceId, table.createdAt),
  ],
);

/** Every value that a secret parameter of the store had when it was used: output may still show an older one. */
export const secureValue = pgTable(
  'secure_value',
  {
    name: text().notNull(),
    /** Tells values apart without telling them. */
    fingerprint: text().notNull(),
    /** Encrypted. */
    box: text().notNull(),
    firstUsedAt: moment('first_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.fingerprint] })],
);

/** Which open commands hold a change lock on which device. */
export const changeLock = pgView('change_lock', {
  deviceId: uuid('device_id').notNull(),
  invocationId: uuid('invocation_id').notNull(),
  runId: uuid('run_id').notNull(),
  command: text().notNull(),
  holderId: uuid('holder_id').notNull(),
  holder: text().notNull(),
  steps: jsonb().$type<InvocationStep[]>().notNull(),
  since: moment('since').notNull(),
  expiresAt: moment('expires_at').notNull(),
}).existing();
