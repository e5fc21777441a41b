import { z } from 'zod';
import { deviceFilterSchema } from '../devices/devices.ts';
import { idSchema } from '../ids.ts';
import type { RunCommandObstacle } from './run-command-obstacles.ts';
import type { RunGuard } from './run-rules.ts';
import { whenLockedSchema, type LockHolderRun } from './change-locks.ts';

export const commandTargetSchema = z.discriminatedUnion('kind', [
  /** Runs reject an empty list with 4001 (docs/design/portal.md, section 8). */
  z.object({ kind: z.literal('devices'), deviceIds: z.array(idSchema).max(10_000) }),
  z.object({ kind: z.literal('filter'), filter: deviceFilterSchema }),
]);
export type CommandTarget = z.infer<typeof commandTargetSchema>;

export const isEmptyTarget = (target: CommandTarget): boolean =>
  target.kind === 'devices' && target.deviceIds.length === 0;

export interface TargetPreview {
  /** SHA-256 over the sorted IDs of the target devices, one per line. */
  readonly sha256: string;
  readonly count: number;
  readonly online: number;
  /** Devices whose agent does not check the signature of a run. */
  readonly unchecked: number;
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[];
  /** Number of people who own these devices. */
  readonly people: number;
  readonly countryCount: number;
  /** At most 50, by number of devices. An empty name is for devices without a country. */
  readonly countries: readonly { readonly country: string; readonly count: number }[];
  /** What the run policy requires for this number of devices. */
  readonly guard: RunGuard;
  /** Null if the document's version has never finished on these models. */
  readonly failures: FailureHistory | null;
  /** Runs whose change locks exclude devices, by number of devices. */
  readonly busy: readonly LockHolderRun[];
  /** Why devices that AWS Systems Manager manages are excluded; empty if none is for that reason. */
  readonly runCommandObstacles: readonly RunCommandObstacle[];
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}

/**
 * Failure rate of the document's version on the models of a target, from the latest finished
 * invocations.
 */
export interface FailureHistory {
  readonly invocations: number;
  readonly failed: number;
  /** From 0 to 1: the failure rates of the models, weighted by their devices in the target. */
  readonly predictedRate: number;
  /** Devices whose model has history. */
  readonly coveredDevices: number;
}

export type ExclusionReason =
  | 'suspended'
  | 'retired'
  | 'no-instance'
  | 'no-serial-number'
  | 'not-permitted'
  /** Managed by AWS Systems Manager, which cannot run the document (`RunCommandObstacle`). */
  | 'needs-agent'
  /** Its agent of Systems Manager cannot pass parameters as environment variables. */
  | 'agent-too-old'
  /** The change lock is held by another user. */
  | 'busy';

/** Previews the devices of a run before it is sent. */
export const previewTargetInput = z.object({
  command: z.string().max(128),
  document: z.string().max(160).default(''),
  target: commandTargetSchema,
  whenLocked: whenLockedSchema.default('ask'),
});
