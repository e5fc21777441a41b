import { z } from 'zod';
import { deviceFilterSchema } from '../devices/devices.ts';
import { idSchema } from '../ids.ts';
import type { RunGuard } from './run-rules.ts';
import { whenBusySchema, type BusyRun } from './leases.ts';

export const commandTargetSchema = z.discriminatedUnion('kind', [
  /** An empty list is answered with 4001 by what runs on it (docs/design/portal.md, section 8). */
  z.object({ kind: z.literal('devices'), deviceIds: z.array(idSchema).max(10_000) }),
  z.object({ kind: z.literal('filter'), filter: deviceFilterSchema }),
]);
export type CommandTarget = z.infer<typeof commandTargetSchema>;

export const isEmptyTarget = (target: CommandTarget): boolean =>
  target.kind === 'devices' && target.deviceIds.length === 0;

export interface TargetPreview {
  /** Over the ids of the devices that it would reach, sorted, one a line. */
  readonly sha256: string;
  readonly count: number;
  readonly online: number;
  /** Devices whose agent does not check the signature of a run. */
  readonly unchecked: number;
  readonly excluded: readonly { readonly reason: ExclusionReason; readonly count: number }[];
  /** How many people own these devices. */
  readonly people: number;
  readonly countryCount: number;
  /** At most 50, those of most devices first; an empty name stands for devices without a country. */
  readonly countries: readonly { readonly country: string; readonly count: number }[];
  /** What the policy asks for before it is sent to so many devices. */
  readonly guard: RunGuard;
  /** Null where the document's version has not ended on any device of these models. */
  readonly failures: FailureHistory | null;
  /** For which runs devices are left out as busy, those of most devices first. */
  readonly busy: readonly BusyRun[];
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}

/** How the document's version did on the models of a target, by the latest invocations that ended there. */
export interface FailureHistory {
  readonly invocations: number;
  readonly failed: number;
  /** Between 0 and 1: the share of each model, weighted by its devices in the target. */
  readonly predictedRate: number;
  /** Devices of the target whose model has any history. */
  readonly coveredDevices: number;
}

export type ExclusionReason =
  | 'suspended'
  | 'retired'
  | 'no-instance'
  | 'no-serial-number'
  | 'not-permitted'
  /** Somebody else is changing it. */
  | 'busy';

/** Whom a run would reach, asked before it is sent. */
export const previewTargetInput = z.object({
  command: z.string().max(128),
  document: z.string().max(160).default(''),
  target: commandTargetSchema,
  whenBusy: whenBusySchema.default('ask'),
});
