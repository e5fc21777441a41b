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
  date,
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

/** A command sent to one or many devices. */
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
    /** As sent to devices. Secret values are encrypted here and masked everywhere else. */
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
    /** The case in which it was started. */
    caseId: uuid('case_id'),
    state: text().$type<RunState>().notNull(),
    statusDetails: text('status_details').$type<StatusDetails>().notNull(),
    /**
     * Number of invocations that can be in progress now. Doubles 1, 2, 4 … up to the concurrency, unless that is 100%.
     */
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
    /** The API token by which it was created. */
    apiTokenId: uuid('api_token_id'),
    requestId: text('request_id').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    endedAt: moment('ended_at'),
    pausedAt: moment('paused_at'),
    pausedBy: text('paused_by'),
    deliverBefore: moment('deliver_before').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** The run that this one undoes. */
    undoesRunId: uuid('undoes_run_id'),
    /** Sub-documents (`aws:runDocument`) in their versions when the run was created. */
    subDocuments: jsonb('sub_documents').$type<PinnedDocument[]>().notNull().default([]),
    /** Oldest version of the agent's protocol with everything that the command uses. */
    protocol: integer().notNull().default(1),
  },
  (table) => [
    uniqueIndex('command_run_idempotency').on(table.createdById, table.idempotencyKey),
    index('command_run_newest').on(table.createdAt, table.id),
    index('command_run_by_document').on(table.documentName, table.createdAt),
    // For the last parameter values of a user.
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
 * The signed statement of a run, as sent to devices. Devices verify it, so they reject a run if it is changed here or
 * elsewhere.
 */
export const runSignature = pgTable('run_signature', {
  runId: uuid('run_id').primaryKey(),
  /** The exact text that is signed. */
  statement: text().notNull(),
  signatures: jsonb().$type<{ keyId: string; signature: string }[]>().notNull(),
  /** Encrypted, because with it short secrets could be guessed from their digest. */
  blinding: text().notNull(),
  /** Target device IDs, 16 bytes each, sorted: the leaves of the tree whose root is signed. */
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
    /** The last time the device reported anything about it. */
    newsAt: moment('news_at'),
    deliverBefore: moment('deliver_before').notNull(),
    expiresAt: moment('expires_at').notNull(),
    cancelRequestedAt: moment('cancel_requested_at'),
    steps: jsonb().$type<InvocationStep[]>().notNull().default([]),
    /** First characters of the output, for lists. */
    outputPreview: text('output_preview').notNull().default(''),
    stdoutLength: bigint('stdout_length', { mode: 'number' }).notNull().default(0),
    stderrLength: bigint('stderr_length', { mode: 'number' }).notNull().default(0),
    /** Stored output in UTF-16 code units, both streams together. */
    outputStored: bigint('output_stored', { mode: 'number' }).notNull().default(0),
    outputTruncated: boolean('output_truncated').notNull().default(false),
  },
  (table) => [
    index('invocation_by_run').on(table.runId, table.state, table.id),
    index('invocation_by_device').on(table.deviceId, table.queuedAt, table.id),
    // For open invocations of a device, read at every connect. Timed-out invocations are found by their run, because
    // every further index is written several times for each invocation.
    index('invocation_open_by_device')
      .on(table.deviceId)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Output in pieces, as it arrived. */
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

/**
 * Numbers of devices from which runs with a consequence need approval, or a rollout instead. Without rows, the defaults
 * apply.
 */
export const runRule = pgTable('run_rule', {
  consequence: text().$type<RunRule['consequence']>().primaryKey(),
  approvalFrom: integer('approval_from'),
  airBlastFrom: integer('air_blast_from'),
  changedBy: text('changed_by').notNull(),
  changedAt: moment('changed_at').notNull(),
});

/** A pending or decided approval of a run. A run is signed for its devices only when it is approved. */
export const runApproval = pgTable('run_approval', {
  runId: uuid('run_id').primaryKey(),
  /** The complete effect at the time of the request. */
  effect: jsonb().$type<PlannedEffect>().notNull(),
  effectSha256: text('effect_sha256').notNull(),
  decision: text().$type<NonNullable<RunApproval['decision']>['verdict']>(),
  decidedById: uuid('decided_by_id'),
  decidedBy: text('decided_by'),
  decidedAt: moment('decided_at'),
  comment: text().notNull().default(''),
});

/** Devices shown to a user before a run, to detect differences if the run would reach others. */
export const shownTarget = pgTable(
  'shown_target',
  {
    userId: uuid('user_id').notNull(),
    /** Of the sorted IDs, one per line. */
    sha256: text().notNull(),
    deviceCount: integer('device_count').notNull(),
    deviceIds: uuid('device_ids').array().notNull(),
    shownAt: moment('shown_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sha256] })],
);

/**
 * Outcomes of an ended run, counted by the attributes of its devices at that time: model, and country and labels for
 * the scopes of viewers. Only successful and failed invocations count.
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
    index('run_outcome_by_end').on(table.endedAt),
  ],
);

/**
 * Results per day, for the trend on the home screen, from `run_outcome`. By country and model, for the scopes of
 * viewers.
 */
export const runTrend = pgTable(
  'run_trend',
  {
    /** In UTC. */
    day: date({ mode: 'string' }).notNull(),
    /** Empty for devices without a country. */
    country: text().notNull(),
    model: text().notNull(),
    succeeded: integer().notNull(),
    failed: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.country, table.model] })],
);

/** A distinct output of a run: state and normalized output of invocations. */
export const runAnswer = pgTable(
  'run_answer',
  {
    runId: uuid('run_id').notNull(),
    sha256: text().notNull(),
    statusDetails: text('status_details').$type<StatusDetails>().notNull(),
    responseCode: integer('response_code'),
    /** First characters of the normalized output, with secrets masked. */
    text: text().notNull(),
    /** Equal for outputs that differ only in numbers of the same range. Null for older outputs. */
    rangesSha256: text('ranges_sha256'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.sha256] }),
    index('run_answer_by_ranges').on(table.runId, table.rangesSha256),
  ],
);

/** The distinct output of an ended invocation. Written when the distinct outputs of its run are first requested. */
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

/** A command that runs later or repeatedly, with the current permissions of its creator at each run. */
export const runSchedule = pgTable(
  'run_schedule',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    command: text().notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    consequence: text().$type<Consequence>().notNull(),
    /** Secret values are encrypted. */
    parameters: jsonb().$type<StoredParameters>().notNull(),
    maskedParameters: jsonb('masked_parameters').$type<Record<string, unknown>>().notNull(),
    target: jsonb().$type<CommandTarget>().notNull(),
    /** Number of devices of a fixed target; null if the target is selected again at each run. */
    frozenCount: integer('frozen_count'),
    /** The schedule is paused if a run would reach more devices. */
    maxDevices: integer('max_devices').notNull(),
    /** Number of devices in the run that paused the schedule for that reason. */
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
    /** The temporary access by which it was created, and with which it ends. */
    accessGrantId: uuid('access_grant_id'),
    /** Signed at creation and verified before each run. Null in schedules created before signatures existed. */
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

/** A file that a document collected; its content is in the artifact store. */
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
    /** SHA-256 reported in the journal of the device; null until it is reported. */
    reportedSha256: text('reported_sha256'),
    /** Null for older files. */
    deviceId: uuid('device_id'),
  },
  (table) => [
    uniqueIndex('invocation_artifact_by_name').on(table.invocationId, table.name),
    index('invocation_artifact_by_device').on(table.deviceId, table.createdAt),
  ],
);

/**
 * All values that a secret parameter of the parameter store had when it was used, because output can still contain an
 * older one.
 */
export const secureValue = pgTable(
  'secure_value',
  {
    name: text().notNull(),
    /** Identifies the value without revealing it. */
    fingerprint: text().notNull(),
    /** Encrypted. */
    box: text().notNull(),
    firstUsedAt: moment('first_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.fingerprint] })],
);

/** Open commands that hold the change lock of a device. */
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
