import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { commandTargetSchema, type CommandTarget } from '../commands/command-targets.ts';
import { resultsFormatSchema } from '../commands/run-results.ts';
import type { RunCounters } from '../commands/runs.ts';
import type { EffectChange } from '../commands/effect-changes.ts';
import type { AuditType } from '../audit-trail/audit-trail.ts';
import { documentNameSchema } from '../documents/documents.ts';
import { idSchema } from '../ids.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { AirBlastState, AirBlastStepState } from '../states.ts';
import { versionNumberSchema } from '../versions/version-number.ts';

/** In order. Each step requires the token of the previous one. */
export const airBlastSteps = ['plan', 'preflight', 'canary', 'blast', 'verify'] as const;
export type AirBlastStep = (typeof airBlastSteps)[number];

/**
 * Rollouts to at least this many devices, and destructive changes, require approval by a second
 * user (docs/design/decisions.md, section 6).
 */
export const AIR_BLAST_APPROVAL_DEVICES = 100;
/**
 * Failed devices can be excluded only if they are less than this share of the devices that were
 * processed.
 */
export const AIR_BLAST_LEAVE_OUT_BELOW_PERCENT = 50;

export const airBlastChangeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('document'),
    /** `name` or `name:version`. */
    document: z.string().min(1).max(160),
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
  z.object({
    kind: z.literal('version'),
    component: z.string().min(1).max(128),
    version: z.string().min(1).max(64),
    /**
     * Where devices download the file, and its SHA-256. Leave empty to use a version that is still
     * on the device.
     */
    source: z.string().max(1_024).default(''),
    sha256: z
      .string()
      .regex(/^([0-9a-fA-F]{64})?$/)
      .default(''),
  }),
]);
export type AirBlastChange = z.infer<typeof airBlastChangeSchema>;

const percent = z.int().min(1).max(100);
const rate = z.string().regex(/^([1-9]\d{0,6}|[1-9]\d?%|100%)$/);
const errors = z.string().regex(/^(0|[1-9]\d{0,6}|\d{1,2}%|100%)$/);

export const airBlastOptionsSchema = z.object({
  canaryPercent: percent.default(5),
  /** Percentage of canaries that must succeed. */
  successPercent: percent.default(95),
  /** How long to monitor the canaries after the last of them finished. */
  soakSeconds: z.int().min(0).max(86_400).default(0),
  /** Percentage of devices in each wave. The last wave includes the remainder. */
  wavePercents: z.array(percent).min(1).max(20).default([10, 30, 60]),
  maxConcurrency: rate.default('50'),
  /** Errors allowed over all waves. The rollout stops when this number is exceeded. */
  maxErrors: errors.default('5%'),
  timeoutSeconds: z.int().min(30).max(2_592_000).default(3_600),
  /**
   * Whether to include offline devices. They receive the change when they reconnect before the
   * timeout.
   */
  waitForOffline: z.boolean().default(false),
  /** Devices with a fuller disk are blocked. */
  maxDiskUsedPercent: percent.default(90),
  /**
   * Runs after the rollout. A device on which it succeeds is verified. Without it, the reported
   * versions or the result of the change are used.
   */
  verifyDocument: documentNameSchema.nullable().default(null),
  /** How long devices can take to report the intended version. */
  verifySeconds: z.int().min(0).max(86_400).default(300),
});
export type AirBlastOptions = z.infer<typeof airBlastOptionsSchema>;

export const planAirBlastInput = z.object({
  name: nameSchema({ max: 128 }),
  reason: z.string().trim().max(500).default(''),
  change: airBlastChangeSchema,
  target: commandTargetSchema,
  options: airBlastOptionsSchema.prefault({}),
  idempotencyKey: z.uuid(),
});
export type PlanAirBlastInput = z.infer<typeof planAirBlastInput>;

export const editAirBlastInput = planAirBlastInput
  .omit({ idempotencyKey: true })
  .extend({ id: idSchema, revision: versionNumberSchema });

export interface AirBlastLimits {
  /**
   * Number of devices from which a second user must approve. Destructive changes always require
   * approval.
   */
  readonly approvalDevices: number;
  /** The same by the run policy, by consequence; null for never. Absent for read-only changes. */
  readonly runsFrom: Readonly<Partial<Record<Consequence, number | null>>>;
}

/** A document in the version that is sent, as covered by the approval. */
export interface AirBlastDocument {
  readonly use: 'change' | 'sub-document' | 'verification';
  readonly name: string;
  readonly version: number;
  /** Of everything that a run uses of it: main steps, pre-check, verification, and undo steps. */
  readonly sha256: string;
}

/** Initial values for editing: the requested plan without secret parameters. */
export interface AirBlastPlan {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly reason: string;
  readonly change: AirBlastChange;
  /** Null if it is no longer stored. The devices must be selected again. */
  readonly target: CommandTarget | null;
  readonly options: AirBlastOptions;
  /** Kept if an edit omits them and the document is unchanged. */
  readonly secretParameters: readonly string[];
}

export const airBlastReference = z.object({ id: idSchema });

export const startAirBlastStepInput = z.object({
  id: idSchema,
  step: z.enum(['preflight', 'canary', 'blast', 'verify']),
  token: z.string().max(4_096),
  /**
   * The rollout stage, and every stage of a destructive change, is confirmed by typing the number of
   * devices that it changes.
   */
  confirmation: z.string().max(32).default(''),
});

export const exportAirBlastInput = z.object({ id: idSchema, format: resultsFormatSchema });

export const airBlastReasonInput = z.object({
  id: idSchema,
  reason: z.string().trim().max(500).default(''),
});

export const decideAirBlastInput = z.object({
  id: idSchema,
  /**
   * Hash of everything that the approver has seen. If the plan has changed, the approval is
   * rejected.
   */
  planSha256: z.string().regex(/^[0-9a-f]{64}$/),
  comment: z.string().trim().max(500).default(''),
});

export const listAirBlastsInput = z.object({
  mine: z.boolean().default(false),
  active: z.boolean().default(false),
  /** Only rollouts that need an action or approval of the viewer. */
  waiting: z.boolean().default(false),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

export const airBlastTargetGroups = [
  'all',
  'excluded',
  'no-go',
  'canary',
  'failed',
  'unverified',
  /** Would get the change, but its agent does not check the signature of a run. */
  'unchecked',
] as const;
export type AirBlastTargetGroup = (typeof airBlastTargetGroups)[number];

export const listAirBlastTargetsInput = z.object({
  id: idSchema,
  group: z.enum(airBlastTargetGroups).default('all'),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** Why a rollout was stopped, if no user gave a reason. */
export const airBlastStopReasons = [
  'no-device-may-go',
  'too-few-succeeded',
  'too-many-errors',
  'too-few-verified',
  'command-refused',
  /** The change is no longer what was planned and approved. */
  'plan-changed',
  /** The approver rejected the plan. */
  'rejected',
] as const;
export type AirBlastStopReason = (typeof airBlastStopReasons)[number];

/** Why preflight blocks a device. */
export const noGoReasons = [
  'lifecycle',
  'offline',
  'platform',
  'model',
  'country',
  'conflicting-run',
  'conflicting-air-blast',
  'disk-full',
  /** Failed and was excluded when the rollout continued. */
  'left-out',
] as const;
export type NoGoReason = (typeof noGoReasons)[number];

/** Warnings about a plan. They block nothing and are shown before anything is sent. */
export const airBlastWarnings = [
  /** No device has the version and it is not registered: it is new or misspelled. */
  'version-not-on-record',
  /** None of the devices has the component. */
  'component-on-no-device',
] as const;
export type AirBlastWarning = (typeof airBlastWarnings)[number];

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

export interface AirBlastRow {
  readonly id: string;
  readonly name: string;
  readonly state: AirBlastState;
  readonly step: AirBlastStep;
  readonly stepState: AirBlastStepState;
  /** `document:version`, or `component version`. */
  readonly change: string;
  readonly consequence: Consequence;
  readonly targetCount: number;
  readonly operatorId: string;
  readonly operator: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  readonly endedAt: Timestamp | null;
}

/** Numbers of devices, people, and countries that a change affects. */
export interface BlastRadius {
  readonly devices: number;
  readonly people: number;
  readonly countries: readonly { readonly country: string; readonly count: number }[];
  readonly models: readonly { readonly model: string; readonly count: number }[];
}

/** One execution of a step. */
export interface AirBlastStepRecord {
  readonly step: AirBlastStep;
  readonly attempt: number;
  readonly state: AirBlastStepState;
  readonly operator: string;
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp | null;
  /** Counts and reasons, for the result and for 8002. */
  readonly evidence: Readonly<Record<string, unknown>>;
}

export interface AirBlastWave {
  readonly step: AirBlastStep;
  readonly attempt: number;
  readonly wave: number;
  readonly devices: number;
  readonly runId: string | null;
  readonly counters: RunCounters | null;
  readonly openedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
}

export interface AirBlastApproval {
  readonly decision: 'approved' | 'rejected';
  readonly by: string;
  readonly at: Timestamp;
  readonly comment: string;
  /** Hash of everything that was to be executed. */
  readonly planSha256: string;
  /** False if anything has changed. */
  readonly valid: boolean;
}

/** Differences between the last approved plan and the current one. */
export interface AirBlastPlanChanges {
  readonly by: string;
  readonly at: Timestamp;
  readonly changes: readonly EffectChange[];
  readonly added: number;
  readonly removed: number;
  /** The first added devices, limited to those that the viewer can see. */
  readonly addedDevices: readonly string[];
  readonly removedDevices: readonly string[];
}

/** Permission to start one step, issued by the previous step. */
export interface AirBlastNextStep {
  readonly step: Exclude<AirBlastStep, 'plan'>;
  /** Number of devices that it changes; 0 for a read-only step. */
  readonly devices: number;
  /** Opaque. Only for the operator; null if it must be renewed. */
  readonly token: string | null;
  readonly expiresAt: Timestamp | null;
}

/** Results compared with the target state, over all devices to be changed. */
export interface AirBlastReport {
  readonly asIntended: number;
  readonly different: number;
  /** Changed but not compared yet: before verification, or if the rollout ended without it. */
  readonly notVerified: number;
  /** Failed and not compared yet. */
  readonly failed: number;
  /** Not changed: queued, in progress, or rolled back. */
  readonly notChanged: number;
  readonly excluded: number;
  readonly noGo: number;
  /** Failed and excluded. */
  readonly leftOut: number;
}

/** Devices on which the change failed in the same way. */
export interface AirBlastFailure {
  readonly statusDetails: string;
  readonly responseCode: number | null;
  /** The step of the document that failed; null if none started. */
  readonly step: string | null;
  readonly devices: number;
  /** An example device, if the viewer can see it. */
  readonly sample: {
    readonly deviceId: string;
    readonly serialNumber: string | null;
    readonly invocationId: string;
    readonly runId: string;
  } | null;
}

/** An action on a rollout. */
export interface AirBlastMoment {
  readonly at: Timestamp;
  readonly type: AuditType;
  readonly actor: string;
  readonly step: string | null;
  readonly wave: number | null;
  readonly devices: number | null;
  readonly reason: string | null;
}

/** Result of a rollout: failures, and all actions, oldest first. */
export interface AirBlastResult {
  readonly failures: readonly AirBlastFailure[];
  readonly timeline: readonly AirBlastMoment[];
}

/** Changed devices that had the same previous version; null if the change was a document. */
export interface AirBlastRollBack {
  readonly version: string | null;
  readonly devices: number;
  /** A stored list of their serial numbers. */
  readonly targetListId: string;
}

/** The value that decides whether the step passes, with its limit, as of now. */
export interface AirBlastGate {
  readonly kind: 'canary' | 'blast' | 'verify';
  /** Devices that finished, of the devices of the step. */
  readonly ended: number;
  readonly total: number;
  /** Canaries that succeeded, errors of the rollout, or verified devices. */
  readonly value: number;
  /** Required successes (canary, verify) or allowed failures (rollout). */
  readonly limit: number;
}

/** Facts of a rollout that do not depend on the viewer. */
export interface AirBlastFacts extends AirBlastRow {
  readonly reason: string;
  readonly revision: number;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly component: string | null;
  readonly version: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Parameters of the parameter store that its waves use, as `name:version`, resolved when the plan
   * was created.
   */
  readonly storeParameters: readonly string[];
  readonly options: AirBlastOptions;
  readonly targetSha256: string;
  /**
   * Hash of everything that will be executed: devices, documents, parameters, strategy, thresholds,
   * verification.
   */
  readonly planSha256: string;
  /** Empty for a plan that was created before digests were recorded. */
  readonly documents: readonly AirBlastDocument[];
  readonly excluded: readonly ReasonCount[];
  readonly noGo: readonly ReasonCount[];
  /** Current warnings; none after the rollout has ended. */
  readonly warnings: readonly AirBlastWarning[];
  /**
   * Devices that would get the change and whose agent does not check signatures. From preflight on,
   * as recorded by it.
   */
  readonly unchecked: number;
  readonly radius: BlastRadius;
  /** Estimate from the document's history; null without history. */
  readonly predictedDurationMs: number | null;
  readonly needsApproval: boolean;
  /** Whether approval is required before the canary stage. */
  readonly approvalFirst: boolean;
  readonly approvals: readonly AirBlastApproval[];
  readonly steps: readonly AirBlastStepRecord[];
  readonly waves: readonly AirBlastWave[];
  readonly report: AirBlastReport;
  /** Gate of the current step; null before the canary stage. */
  readonly gate: AirBlastGate | null;
  /** Offline devices that the current step waits for. */
  readonly away: number;
  /** Why it is paused, aborted, or failed, as written by a user. */
  readonly stateReason: string;
}

export interface AirBlastDetail extends AirBlastFacts {
  readonly offered: boolean;
  /** Whether the viewer is the operator, and until when the role is assumed. */
  readonly mine: boolean;
  /** Null if there is no previous approval or the approved plan is unchanged. */
  readonly changesSinceApproval: AirBlastPlanChanges | null;
  readonly roleExpiresAt: Timestamp | null;
  readonly nextStep: AirBlastNextStep | null;
  readonly may: {
    readonly approve: boolean;
    readonly takeOver: boolean;
    readonly edit: boolean;
    readonly pause: boolean;
    readonly resume: boolean;
    readonly abort: boolean;
    readonly retry: boolean;
    readonly leaveOut: boolean;
    readonly rollBack: boolean;
  };
  readonly serverTime: Timestamp;
}

export interface AirBlastTargetRow {
  readonly deviceId: string;
  readonly name: string;
  readonly serialNumber: string | null;
  readonly model: string | null;
  readonly country: string | null;
  readonly exclusion: string | null;
  readonly noGo: readonly string[];
  readonly canary: boolean;
  readonly wave: number | null;
  readonly runId: string | null;
  readonly invocationId: string | null;
  readonly invocationState: string | null;
  readonly statusDetails: string | null;
  readonly responseCode: number | null;
  readonly reportedVersion: string | null;
  readonly verified: boolean | null;
}
