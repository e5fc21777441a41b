import {
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
import { sql } from 'drizzle-orm';
import type { AirBlastStep } from '@deviceportal/contract/air-blast';
import { moment } from '../../platform/columns.ts';
import type { Authorization } from '../../commands/signing/authorization.ts';
import type { PlannedEffect } from '../../commands/effect/planned-effect.ts';
import type { KeptParameter } from '../plan/plan-store.ts';

const anything = (name: string) => jsonb(name).$type<Record<string, unknown>>().notNull();

/** A guided change of many devices. */
export const airBlast = pgTable(
  'air_blast',
  {
    id: uuid().primaryKey(),
    idempotencyKey: uuid('idempotency_key').notNull(),
    name: text().notNull(),
    reason: text().notNull().default(''),
    state: text().notNull(),
    step: text().notNull(),
    stepState: text('step_state').notNull(),
    pausedFrom: text('paused_from'),
    stateReason: text('state_reason').notNull().default(''),
    needsApproval: boolean('needs_approval').notNull(),
    /** The approval comes before the canaries, not after them: nothing is changed without it. */
    approvalFirst: boolean('approval_first').notNull().default(false),
    approved: boolean().notNull().default(false),
    /** Which plan: each has its own target set. */
    revision: integer().notNull().default(1),
    attempt: integer().notNull().default(1),
    command: text().notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    documentSha256: text('document_sha256').notNull(),
    consequence: text().notNull(),
    platforms: jsonb().$type<readonly string[]>().notNull(),
    /** Secret ones sealed. */
    parameters: anything('parameters'),
    maskedParameters: anything('masked_parameters'),
    /** What the parameter store gave when the plan was frozen: every wave runs with that. */
    storeParameters: jsonb('store_parameters')
      .$type<readonly KeptParameter[]>()
      .notNull()
      .default([]),
    component: text(),
    version: text(),
    options: anything('options'),
    /** Whom the plan asked for, before it was frozen: what an edit starts from. */
    target: jsonb().$type<Record<string, unknown>>(),
    targetSha256: text('target_sha256').notNull(),
    /** Everything that will happen, and its hash: what is approved, and checked again before each wave is sent. */
    effect: jsonb().$type<PlannedEffect>(),
    planSha256: text('plan_sha256').notNull().default(''),
    /** Signed by the author of the current plan; checked before each wave. */
    authorization: jsonb('signed_authorization').$type<Authorization>(),
    targetCount: integer('target_count').notNull(),
    radius: anything('radius'),
    predictedDurationMs: integer('predicted_duration_ms'),
    operatorId: uuid('operator_id').notNull(),
    operator: text().notNull(),
    /** The operator has let go: another may take over. */
    offered: boolean().notNull().default(false),
    roleSession: text('role_session'),
    roleExpiresAt: moment('role_expires_at'),
    /** When the token of the next step was handed on or renewed; null when it must be renewed. */
    tokenIssuedAt: moment('token_issued_at'),
    createdById: uuid('created_by_id').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [
    uniqueIndex('air_blast_idempotency').on(table.createdById, table.idempotencyKey),
    index('air_blast_newest').on(table.createdAt, table.id),
    index('air_blast_by_operator').on(table.operatorId),
    index('air_blast_running')
      .on(table.id)
      .where(sql`${table.stepState} = 'running'`),
  ],
);

/** One doing of a step. Its key is what makes a step be done once. */
export const airBlastStep = pgTable(
  'air_blast_step',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    step: text().notNull(),
    attempt: integer().notNull(),
    state: text().notNull(),
    operatorId: uuid('operator_id').notNull(),
    operator: text().notNull(),
    /** Who started it, with the rights of that moment: waves under way go on with them. */
    startedAs: anything('started_as'),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    evidence: anything('evidence'),
    /** Signed when a person started it, with the waves that it sends; compared before each of them. */
    authorization: jsonb('signed_authorization').$type<Authorization>(),
  },
  (table) => [
    primaryKey({ columns: [table.airBlastId, table.revision, table.step, table.attempt] }),
  ],
);

/** The frozen target set of a plan, and what became of each device. */
export const airBlastTarget = pgTable(
  'air_blast_target',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    deviceId: uuid('device_id').notNull(),
    exclusion: text(),
    /** Null before preflight; empty is a go. */
    noGo: text('no_go').array(),
    canary: boolean().notNull().default(false),
    /** The command run that carries the change to it: the last one, where it was tried again. */
    runId: uuid('run_id'),
    verifyRunId: uuid('verify_run_id'),
    verified: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.airBlastId, table.revision, table.deviceId] }),
    index('air_blast_target_by_device').on(table.deviceId),
  ],
);

/** One command run of a step: the canary, a wave of the blast, a verification. */
export const airBlastWave = pgTable(
  'air_blast_wave',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    step: text().$type<AirBlastStep>().notNull(),
    attempt: integer().notNull(),
    wave: integer().notNull(),
    deviceIds: uuid('device_ids').array().notNull(),
    /** Of the command run, chosen before it is made: made twice, it is the same run. */
    runKey: uuid('run_key').notNull(),
    /** What it sends: the change, or the document that verifies it. */
    kind: text().notNull().default('change'),
    /** Known when it opens: what the waves before it have left. */
    maxErrors: text('max_errors'),
    runId: uuid('run_id'),
    /** Its command run was paused because the AirBlast was, and goes on with it. */
    held: boolean().notNull().default(false),
    openedAt: moment('opened_at'),
    endedAt: moment('ended_at'),
  },
  (table) => [
    primaryKey({
      columns: [table.airBlastId, table.revision, table.step, table.attempt, table.wave],
    }),
    uniqueIndex('air_blast_wave_run_key').on(table.runKey),
  ],
);

/** What second persons decided, each about one plan. */
export const airBlastApproval = pgTable(
  'air_blast_approval',
  {
    id: uuid().primaryKey(),
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    /** Of everything that will happen. */
    planSha256: text('plan_sha256').notNull().default(''),
    /** What was approved, to say later what has changed since. */
    effect: jsonb().$type<PlannedEffect>(),
    deviceIds: uuid('device_ids').array().notNull().default([]),
    targetSha256: text('target_sha256').notNull(),
    decision: text().notNull(),
    byId: uuid('by_id').notNull(),
    by: text('by_name').notNull(),
    comment: text().notNull().default(''),
    /** HMAC-SHA-256 over run, revision, plan hash, person, decision and time. */
    signature: text().notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    uniqueIndex('air_blast_approval_once').on(table.airBlastId, table.revision, table.planSha256),
  ],
);
