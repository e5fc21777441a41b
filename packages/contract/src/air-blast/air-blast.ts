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

/** In their order: each needs the token that the one before handed on. */
export const airBlastSteps = ['plan', 'preflight', 'canary', 'blast', 'verify'] as const;
export type AirBlastStep = (typeof airBlastSteps)[number];

/** So many devices, or a change that destroys, need a second person (docs/design/decisions.md, section 6). */
export const AIR_BLAST_APPROVAL_DEVICES = 100;
/** Going on without the failed devices is for few of them: fewer than this share of those that had their turn. */
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
    /** Where devices get the file, and its SHA-256; empty takes a version that is still on the device. */
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
  /** How many of 100 canaries must succeed. */
  successPercent: percent.default(95),
  /** How long to watch the canaries after the last of them ended. */
  soakSeconds: z.int().min(0).max(86_400).default(0),
  /** What part of the devices each wave takes; the last takes the rest. */
  wavePercents: z.array(percent).min(1).max(20).default([10, 30, 60]),
  maxConcurrency: rate.default('50'),
  /** How many errors are allowed over all waves: the one that is more stops the blast. */
  maxErrors: errors.default('5%'),
  timeoutSeconds: z.int().min(30).max(2_592_000).default(3_600),
  /** True takes devices along that are offline now: they get the change when they return, until the time is up. */
  waitForOffline: z.boolean().default(false),
  /** A disk that is fuller is a no-go. */
  maxDiskUsedPercent: percent.default(90),
  /** Run after the blast: who succeeds in it is verified. Without it reported versions or the change's result count. */
  verifyDocument: documentNameSchema.nullable().default(null),
  /** How long devices may take to report the version that was intended. */
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
  /** From so many devices on a second person has to approve; what destroys always needs one. */
  readonly approvalDevices: number;
}

/** What an edit starts from: the plan as it was asked for, secret parameters left out. */
export interface AirBlastPlan {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly reason: string;
  readonly change: AirBlastChange;
  /** Null where it is not on record any more: the devices have to be chosen again. */
  readonly target: CommandTarget | null;
  readonly options: AirBlastOptions;
  /** Kept from before where an edit leaves them out and the document is the same. */
  readonly secretParameters: readonly string[];
}

export const airBlastReference = z.object({ id: idSchema });

export const startAirBlastStepInput = z.object({
  id: idSchema,
  step: z.enum(['preflight', 'canary', 'blast', 'verify']),
  token: z.string().max(4_096),
  /** What destroys is confirmed by typing the number of devices that the step changes. */
  confirmation: z.string().max(32).default(''),
});

export const exportAirBlastInput = z.object({ id: idSchema, format: resultsFormatSchema });

export const airBlastReasonInput = z.object({
  id: idSchema,
  reason: z.string().trim().max(500).default(''),
});

export const decideAirBlastInput = z.object({
  id: idSchema,
  /** What the approver has seen, by the hash of everything that will happen: another plan is refused. */
  planSha256: z.string().regex(/^[0-9a-f]{64}$/),
  comment: z.string().trim().max(500).default(''),
});

export const listAirBlastsInput = z.object({
  mine: z.boolean().default(false),
  active: z.boolean().default(false),
  /** Only those that need the viewer now: to go on with one, or to approve one. */
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
  /** Would get the change, and their agent does not check the signature of a run. */
  'unchecked',
] as const;
export type AirBlastTargetGroup = (typeof airBlastTargetGroups)[number];

export const listAirBlastTargetsInput = z.object({
  id: idSchema,
  group: z.enum(airBlastTargetGroups).default('all'),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** Why a run was stopped, where no person said why: what a step ends with that has not passed. */
export const airBlastStopReasons = [
  'no-device-may-go',
  'too-few-succeeded',
  'too-many-errors',
  'too-few-verified',
  'command-refused',
  /** What would happen is not what was planned and approved any more. */
  'plan-changed',
  /** The second person turned the plan down. */
  'rejected',
] as const;
export type AirBlastStopReason = (typeof airBlastStopReasons)[number];

/** Why preflight keeps a device out. */
export const noGoReasons = [
  'lifecycle',
  'offline',
  'platform',
  'model',
  'country',
  'conflicting-run',
  'conflicting-air-blast',
  'disk-full',
  /** It had its turn and failed: the run goes on without it. */
  'left-out',
] as const;
export type NoGoReason = (typeof noGoReasons)[number];

/** What is doubtful about a plan and blocks nothing: it is on screen before anything is sent. */
export const airBlastWarnings = [
  /** No device has the version, and none of its name is registered: new, or misspelt. */
  'version-not-on-record',
  /** None of the devices has the component yet. */
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

/** How many devices and people in which countries a change touches. */
export interface BlastRadius {
  readonly devices: number;
  readonly people: number;
  readonly countries: readonly { readonly country: string; readonly count: number }[];
  readonly models: readonly { readonly model: string; readonly count: number }[];
}

/** One doing of a step. */
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
  /** Of everything that was to happen. */
  readonly planSha256: string;
  /** False once anything differs. */
  readonly valid: boolean;
}

/** What differs between the plan that was approved last and the present one. */
export interface AirBlastPlanChanges {
  readonly by: string;
  readonly at: Timestamp;
  readonly changes: readonly EffectChange[];
  readonly added: number;
  readonly removed: number;
  /** The first of them, as far as the viewer may see them. */
  readonly addedDevices: readonly string[];
  readonly removedDevices: readonly string[];
}

/** The right to start one step, handed on by the step before. */
export interface AirBlastNextStep {
  readonly step: Exclude<AirBlastStep, 'plan'>;
  /** So many it changes; 0 where it only looks. */
  readonly devices: number;
  /** Opaque. Only for the operator; null when it has to be renewed. */
  readonly token: string | null;
  readonly expiresAt: Timestamp | null;
}

/** Compared with the intent, over all devices that were to be changed. */
export interface AirBlastReport {
  readonly asIntended: number;
  readonly different: number;
  /** Got the change, and nobody has compared them yet: before verify, or where the run ended without it. */
  readonly notVerified: number;
  /** Had their turn and failed, and nobody has compared them yet. */
  readonly failed: number;
  /** Have not got the change: before their turn, under way, or taken back. */
  readonly notChanged: number;
  readonly excluded: number;
  readonly noGo: number;
  /** Failed, and the run went on without them. */
  readonly leftOut: number;
}

/** Devices on which the change failed in the same way. */
export interface AirBlastFailure {
  readonly statusDetails: string;
  readonly responseCode: number | null;
  /** The step of the document that failed; null where none began. */
  readonly step: string | null;
  readonly devices: number;
  /** One of them, as far as the viewer may see it: its evidence. */
  readonly sample: {
    readonly deviceId: string;
    readonly serialNumber: string | null;
    readonly invocationId: string;
    readonly runId: string;
  } | null;
}

/** One thing that was done to a run, by whom. */
export interface AirBlastMoment {
  readonly at: Timestamp;
  readonly type: AuditType;
  readonly actor: string;
  readonly step: string | null;
  readonly wave: number | null;
  readonly devices: number | null;
  readonly reason: string | null;
}

/** What a run came to: why devices failed, and everything that was done, oldest first. */
export interface AirBlastResult {
  readonly failures: readonly AirBlastFailure[];
  readonly timeline: readonly AirBlastMoment[];
}

/** Devices that got the change and ran one version before it; null where the change was a document. */
export interface AirBlastRollBack {
  readonly version: string | null;
  readonly devices: number;
  /** A stored list of their serial numbers. */
  readonly targetListId: string;
}

/** The value that decides whether the step goes on, against its limit; as of now. */
export interface AirBlastGate {
  readonly kind: 'canary' | 'blast' | 'verify';
  /** Devices that had their turn to the end, of those that the step is about. */
  readonly ended: number;
  readonly total: number;
  /** Canaries that succeeded, errors of the blast, or devices that are verified. */
  readonly value: number;
  /** So many must succeed (canary, verify), or may fail (blast). */
  readonly limit: number;
}

/** What is so of a run, whoever looks. */
export interface AirBlastFacts extends AirBlastRow {
  readonly reason: string;
  readonly revision: number;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly component: string | null;
  readonly version: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Parameters of the store that its waves run with, as `name:version`: looked up once, when the plan was frozen. */
  readonly storeParameters: readonly string[];
  readonly options: AirBlastOptions;
  readonly targetSha256: string;
  /** Over everything that will happen: devices, documents, parameters, strategy, thresholds, verification. */
  readonly planSha256: string;
  readonly excluded: readonly ReasonCount[];
  readonly noGo: readonly ReasonCount[];
  /** As things stand now; none once the run has ended. */
  readonly warnings: readonly AirBlastWarning[];
  /** Devices that would get the change and whose agent does not check the signature of a run; from preflight on as it found them. */
  readonly unchecked: number;
  readonly radius: BlastRadius;
  /** From the document's own history; null without any. */
  readonly predictedDurationMs: number | null;
  readonly needsApproval: boolean;
  /** The approval comes before the canaries. */
  readonly approvalFirst: boolean;
  readonly approvals: readonly AirBlastApproval[];
  readonly steps: readonly AirBlastStepRecord[];
  readonly waves: readonly AirBlastWave[];
  readonly report: AirBlastReport;
  /** Of the step that the run is in; null before the canaries. */
  readonly gate: AirBlastGate | null;
  /** Devices that the step under way waits for and that are away now. */
  readonly away: number;
  /** Why it is paused, aborted or failed, in a person's words. */
  readonly stateReason: string;
}

export interface AirBlastDetail extends AirBlastFacts {
  readonly offered: boolean;
  /** Whether the viewer operates it, and until when the role is theirs. */
  readonly mine: boolean;
  /** Null where nothing was approved before, or what was approved is unchanged. */
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
