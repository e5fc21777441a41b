import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import type { TargetPreview } from './command-targets.ts';
import { runCommandInput } from './runs.ts';
import { idSchema } from '../ids.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { ScheduleState } from '../states.ts';
import { momentSchema } from '../moment.ts';
import type { ElevationBond } from '../access/elevation-bond.ts';

/** Once at a moment, or by a cron expression of five fields in a time zone of the IANA database. */
export const scheduleTimesSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at: momentSchema }),
  z.object({
    kind: z.literal('cron'),
    cron: z.string().trim().max(120),
    timeZone: z.string().trim().min(1).max(64),
  }),
]);
export type ScheduleTimes = z.infer<typeof scheduleTimesSchema>;

/** What becomes of a time at which no server was there, or the schedule could not be looked at. */
export const missedRules = ['skip', 'run-late'] as const;
export type MissedRule = (typeof missedRules)[number];

const maxDevicesSchema = z.int().min(1).max(10_000_000);

/** How many devices a schedule may come to reach when nothing else is said: a tenth more than were shown. */
export const defaultMaxDevices = (shown: number): number =>
  shown + Math.max(1, Math.floor(shown / 10));

export const createScheduleInput = runCommandInput
  .omit({ idempotencyKey: true, whenBusy: true })
  .extend({
    /** Made by the browser: the same id twice makes one schedule. */
    id: z.uuid(),
    name: nameSchema({ max: 120 }),
    times: scheduleTimesSchema,
    missed: z.enum(missedRules).default('skip'),
    /** Runs on exactly the devices of now, whatever the target matches later. */
    freeze: z.boolean().default(false),
    /** Where it would reach more devices, it is paused instead. Null takes `defaultMaxDevices` of those that were shown. */
    maxDevices: maxDevicesSchema.nullable().default(null),
  });
export type CreateScheduleInput = z.infer<typeof createScheduleInput>;

export const previewScheduleInput = z.object({ times: scheduleTimesSchema });

export const scheduleReferenceInput = z.object({ id: idSchema });

export const resumeScheduleInput = scheduleReferenceInput.extend({
  /** The new limit; null leaves it as it is. */
  maxDevices: maxDevicesSchema.nullable().default(null),
  /** Signs a schedule that has no signature as it was shown, in the name of who resumes it. */
  sign: z.boolean().default(false),
  /** `ScheduleToSign.sha256` of what was shown: where it has become another, nothing is signed. */
  shownSha256: z
    .string()
    .regex(/^[\da-f]{64}$/)
    .nullable()
    .default(null),
});

/** Everything that the signature of a schedule covers, and the devices that it reaches now. */
export interface ScheduleToSign {
  /** Over everything that is signed, in one form only. */
  readonly sha256: string;
  /** A digest of each part of it, by name. */
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
  /** Null where it runs on named devices. */
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
  readonly bond: ElevationBond | null;
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
  /** Devices of a frozen set; null where the target is looked up anew each time. */
  readonly frozenCount: number | null;
  /** Where it would reach more devices, it is paused instead. */
  readonly maxDevices: number;
  /** How many devices it would have reached when it was paused for that; null otherwise. */
  readonly exceedingCount: number | null;
  /** Whether a person has signed what it runs, with a key that counts: where nobody has, it is paused at its next time. */
  readonly signed: boolean;
  /** The next five, none unless it is active. */
  readonly nextTimes: readonly Timestamp[];
  readonly lastAt: Timestamp | null;
  readonly lastRunId: string | null;
  /** Name of the error that the last time was refused with, `missed`, or a reason of `runRefusals`. */
  readonly lastError: string | null;
  readonly createdBy: string;
  readonly createdAt: Timestamp;
  /** Whether the viewer may pause, resume and delete it. */
  readonly changeable: boolean;
  /** The temporary access by which it was made, and with which it ends. */
  readonly bond: ElevationBond | null;
}
