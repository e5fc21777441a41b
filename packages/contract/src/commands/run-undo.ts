import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { whenLockedSchema, type LockHolderRun } from './change-locks.ts';
import { shownTarget } from './runs.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { DocumentStep } from '../documents/ssm-document.ts';

export const undoReferenceInput = z.object({
  runId: idSchema,
  /** Only this device; null for all devices on which the run took effect. */
  deviceId: idSchema.nullable().default(null),
});

export const previewUndoInput = undoReferenceInput.extend({
  /** For devices that another user has locked. */
  whenLocked: whenLockedSchema.default('ask'),
});

export const undoRunInput = previewUndoInput.extend({
  comment: z.string().trim().max(500).default(''),
  confirmation: z.string().max(128).default(''),
  ...shownTarget,
  idempotencyKey: z.uuid(),
});

/** Whether a run can be undone, and what the undo would do. */
export interface UndoOffer {
  readonly runId: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly consequence: Consequence;
  /** The run's parameters, which the undo also uses, with secrets masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secretParameters: readonly string[];
  readonly steps: readonly DocumentStep[];
  /** Devices that the viewer can see, on which the run took effect and was not undone. */
  readonly count: number;
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
  /** Other users' change locks on these devices. */
  readonly busy: readonly LockHolderRun[];
  /** Why there is nothing to undo; null if there is. */
  readonly hindrance: UndoHindrance | null;
  readonly allowed: boolean;
  readonly missingPermission: string | null;
  /** Undo runs, latest first. */
  readonly undoneBy: readonly {
    readonly runId: string;
    readonly by: string;
    readonly at: Timestamp;
  }[];
}
/**
 * The document has no undo steps; the run is an undo; it took effect on no device; it was undone on
 * all devices.
 */
export type UndoHindrance = 'no-undo' | 'is-undo' | 'no-effect' | 'undone';
