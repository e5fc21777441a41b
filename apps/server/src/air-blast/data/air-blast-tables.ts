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
import type {
  AirBlastApproval,
  AirBlastOptions,
  AirBlastStep,
  BlastRadius,
} from '@deviceportal/contract/air-blast';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { AirBlastState, AirBlastStepState } from '@deviceportal/contract/states';
import { moment } from '../../platform/columns.ts';
import type { Authorization } from '../../commands/signing/authorization.ts';
import type { PlannedEffect } from '../../commands/effect/planned-effect.ts';
import type { SealedParameter } from '../plan/store-parameters.ts';
import type { StoredStarter } from '../steps/stored-starter.ts';

const jsonRecord = (name: string) => jsonb(name).$type<Record<string, unknown>>().notNull();

/** A change of many devices in five steps: a rollout. */
export const airBlast = pgTable(
  'air_blast',
  {
    id: uuid().primaryKey(),
    idempotencyKey: uuid('idempotency_key').notNull(),
    name: text().notNull(),
    reason: text().notNull().default(''),
    state: text().$type<AirBlastState>().notNull(),
    step: text().$type<AirBlastStep>().notNull(),
    stepState: text('step_state').$type<AirBlastStepState>().notNull(),
    pausedFrom: text('paused_from').$type<AirBlastState>(),
    stateReason: text('state_reason').notNull().default(''),
    needsApproval: boolean('needs_approval').notNull(),
    /** Whether approval is required before the canary stage instead of after it. */
    approvalFirst: boolean('approval_first').notNull().default(false),
    approved: boolean().notNull().default(false),
    /** Of the plan. Each has its own target set. */
    revision: integer().notNull().default(1),
    attempt: integer().notNull().default(1),
    command: text().notNull(),
    documentName: text('document_name').notNull(),
    documentVersion: integer('document_version').notNull(),
    documentSha256: text('document_sha256').notNull(),
    consequence: text().$type<Consequence>().notNull(),
    platforms: jsonb().$type<readonly string[]>().notNull(),
    /** Secret ones are sealed. */
    parameters: jsonRecord('parameters'),
    maskedParameters: jsonRecord('masked_parameters'),
    /** Values from the parameter store when the plan was created. All waves use them. */
    storeParameters: jsonb('store_parameters')
      .$type<readonly SealedParameter[]>()
      .notNull()
      .default([]),
    component: text(),
    version: text(),
    options: jsonb().$type<AirBlastOptions>().notNull(),
    /** The requested target, from which the target set was resolved. An edit starts from it. */
    target: jsonb().$type<Record<string, unknown>>(),
    targetSha256: text('target_sha256').notNull(),
    /** Everything that will be executed. Its hash is approved and checked again before each wave. */
    effect: jsonb().$type<PlannedEffect>(),
    planSha256: text('plan_sha256').notNull().default(''),
    /** Signed for the author of the current plan. Checked before each wave. */
    authorization: jsonb('signed_authorization').$type<Authorization>(),
    targetCount: integer('target_count').notNull(),
    radius: jsonb().$type<BlastRadius>().notNull(),
    predictedDurationMs: integer('predicted_duration_ms'),
    operatorId: uuid('operator_id').notNull(),
    operator: text().notNull(),
    /** Whether the operator has released control, so that another user can take over. */
    offered: boolean().notNull().default(false),
    roleSession: text('role_session'),
    roleExpiresAt: moment('role_expires_at'),
    /** When the token of the next step was issued or renewed; null if it must be renewed. */
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

/** One attempt of a step. The primary key prevents a second execution. */
export const airBlastStep = pgTable(
  'air_blast_step',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    step: text().$type<AirBlastStep>().notNull(),
    attempt: integer().notNull(),
    state: text().$type<AirBlastStepState>().notNull(),
    operatorId: uuid('operator_id').notNull(),
    operator: text().notNull(),
    /** The user who started it, with their permissions at that time. Its waves run with them. */
    startedAs: jsonb('started_as').$type<StoredStarter>().notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    evidence: jsonRecord('evidence'),
    /** Signed with its waves when a user started it. Checked before each wave. */
    authorization: jsonb('signed_authorization').$type<Authorization>(),
  },
  (table) => [
    primaryKey({ columns: [table.airBlastId, table.revision, table.step, table.attempt] }),
  ],
);

/** The frozen target set of a plan, with the result of each device. */
export const airBlastTarget = pgTable(
  'air_blast_target',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    deviceId: uuid('device_id').notNull(),
    exclusion: text(),
    /** The blockers. Null before preflight; empty if there are none. */
    noGo: text('no_go').array(),
    canary: boolean().notNull().default(false),
    /** The last command run that sends the change to it. */
    runId: uuid('run_id'),
    verifyRunId: uuid('verify_run_id'),
    verified: boolean(),
  },
  (table) => [
    primaryKey({ columns: [table.airBlastId, table.revision, table.deviceId] }),
    index('air_blast_target_by_device').on(table.deviceId),
  ],
);

/** One command run of a step: the canary stage, a wave of the rollout stage, or a verification. */
export const airBlastWave = pgTable(
  'air_blast_wave',
  {
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    step: text().$type<AirBlastStep>().notNull(),
    attempt: integer().notNull(),
    wave: integer().notNull(),
    deviceIds: uuid('device_ids').array().notNull(),
    /** Idempotency key of the command run, stored before the run is created. */
    runKey: uuid('run_key').notNull(),
    /** What it sends: the change, or the verification document. */
    kind: text().$type<'change' | 'verify'>().notNull().default('change'),
    /** Set when it opens: the errors allowed minus those of earlier waves. */
    maxErrors: text('max_errors'),
    runId: uuid('run_id'),
    /** Whether its command run is paused because the rollout is paused. */
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

/** Decisions of second persons, each about one plan. */
export const airBlastApproval = pgTable(
  'air_blast_approval',
  {
    id: uuid().primaryKey(),
    airBlastId: uuid('air_blast_id').notNull(),
    revision: integer().notNull(),
    /** Hash of everything that will be executed. */
    planSha256: text('plan_sha256').notNull().default(''),
    /** The approved effect, to show later changes. */
    effect: jsonb().$type<PlannedEffect>(),
    deviceIds: uuid('device_ids').array().notNull().default([]),
    targetSha256: text('target_sha256').notNull(),
    decision: text().$type<AirBlastApproval['decision']>().notNull(),
    byId: uuid('by_id').notNull(),
    by: text('by_name').notNull(),
    comment: text().notNull().default(''),
    /** HMAC-SHA-256 over rollout, revision, plan hash, user, decision, and time. */
    signature: text().notNull(),
    at: moment('at').notNull(),
  },
  (table) => [
    uniqueIndex('air_blast_approval_once').on(table.airBlastId, table.revision, table.planSha256),
  ],
);
