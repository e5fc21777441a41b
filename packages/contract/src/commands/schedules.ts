import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import type { TargetPreview } from './command-targets.ts';
import { runCommandInput } from './runs.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { ScheduleState } from '../states.ts';
import { momentSchema } from '../moment.ts';
import type { AccessGrantBond } from '../access/access-grant-bond.ts';

/** Once, or by a cron expression of five fields in an IANA time zone. */
export const scheduleTimesSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at: momentSchema }),
  z.object({
    kind: z.literal('cron'),
    cron: z.string().trim().max(120),
    timeZone: z.string().trim().min(1).max(64),
  }),
]);
export type ScheduleTimes = z.infer<typeof scheduleTimesSchema>;

/**
 * What happens at a run time that was missed because no server was available or the schedule could
 * not be evaluated.
 */
export const missedRules = ['skip', 'run-late'] as const;
export type MissedRule = (typeof missedRules)[number];

const maxDevicesSchema = z.int().min(1).max(10_000_000);

/** Default limit of a schedule's devices: 10 % more than were shown. */
export const defaultMaxDevices = (shown: number): number =>
  shown + Math.max(1, Math.floor(shown / 10));

export const createScheduleInput = runCommandInput
  .omit({ idempotencyKey: true, whenLocked: true })
  .extend({
    /** ID from the browser. The same ID creates only one schedule. */
    id: z.uuid(),
    name: nameSchema({ max: 120 }),
    times: scheduleTimesSchema,
    missed: z.enum(missedRules).default('skip'),
    /** Always runs on the current devices, regardless of what the target matches later. */
    freeze: z.boolean().default(false),
    /**
     * If the schedule would include more devices, it is paused instead. Null for
     * `defaultMaxDevices` of the shown devices.
     */
    maxDevices: maxDevicesSchema.nullable().default(null),
  });
export type CreateScheduleInput = z.infer<typeof createScheduleInput>;

export const previewScheduleInput = z.object({ times: scheduleTimesSchema });

export const scheduleReferenceInput = z.object({ id: idSchema });

export const resumeScheduleInput = scheduleReferenceInput.extend({
  /** The new limit; null leaves it unchanged. */
  maxDevices: maxDevicesSchema.nullable().default(null),
  /** Signs an unsigned schedule as it was shown, in the name of the user who resumes it. */
  sign: z.boolean().default(false),
  /** `ScheduleToSign.sha256` as shown. If the schedule has changed since, nothing is signed. */
  shownSha256: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .nullable()
    .default(null),
});

/** Everything that the signature of a schedule covers, and its current devices. */
export interface ScheduleToSign {
  /** Hash over everything that is signed, in canonical form. */
  readonly sha256: string;
  /** A digest of each part, by name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly command: string;
  readonly consequence: Consequence;
  readonly document: {
    readonly name: string;
    readonly version: number;
    readonly sha256: string;
  };
  /** Secrets masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Null if it runs on selected devices. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  readonly devices: Pick<TargetPreview, 'count' | 'sample'>;
  readonly frozenCount: number | null;
  readonly maxDevices: number;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly comment: string;
  readonly times: ScheduleTimes;
  readonly missed: MissedRule;
  readonly createdBy: string;
  readonly bond: AccessGrantBond | null;
}

export interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly consequence: Consequence;
  /** Secrets masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly times: ScheduleTimes;
  readonly missed: MissedRule;
  readonly state: ScheduleState;
  /** Number of devices of a fixed target; null if the target is evaluated at each run. */
  readonly frozenCount: number | null;
  /** If the schedule would include more devices, it is paused instead. */
  readonly maxDevices: number;
  /** Number of devices that exceeded the limit and paused the schedule; null otherwise. */
  readonly exceedingCount: number | null;
  /**
   * Whether a user has signed the schedule with a valid key. Unsigned schedules are paused at their
   * next run time.
   */
  readonly signed: boolean;
  /** The next five run times; empty unless it is active. */
  readonly nextTimes: readonly Timestamp[];
  readonly lastAt: Timestamp | null;
  readonly lastRunId: string | null;
  /** Error name of the last rejected run, `missed`, or a reason of `runRefusals`. */
  readonly lastError: string | null;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  /** Whether the viewer can pause, resume, and delete it. */
  readonly changeable: boolean;
  /** The temporary access with which it was created and with which it ends. */
  readonly bond: AccessGrantBond | null;
}
