import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { whenBusySchema, type BusyRun } from './leases.ts';
import { shownTarget } from './runs.ts';
import type { Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { DocumentStep } from '../documents/ssm-document.ts';

export const undoReferenceInput = z.object({
  runId: idSchema,
  /** Only this device; null: all on which it took effect. */
  deviceId: idSchema.nullable().default(null),
});

export const previewUndoInput = undoReferenceInput.extend({
  /** On devices that somebody else is changing. */
  whenBusy: whenBusySchema.default('ask'),
});

export const undoRunInput = previewUndoInput.extend({
  comment: z.string().trim().max(500).default(''),
  confirmation: z.string().max(128).default(''),
  ...shownTarget,
  idempotencyKey: z.uuid(),
});

/** Whether a run can be taken back, and what that would do. */
export interface UndoOffer {
  readonly runId: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly consequence: Consequence;
  /** The run's own, secret ones masked: the undo gets the same. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly secretParameters: readonly string[];
  readonly steps: readonly DocumentStep[];
  /** Devices within the viewer's sight on which it took effect and was not taken back. */
  readonly count: number;
  readonly sample: readonly {
    readonly id: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
  /** What somebody else is changing on these devices right now. */
  readonly busy: readonly BusyRun[];
  /** Why there is nothing to undo; null where there is. */
  readonly hindrance: UndoHindrance | null;
  readonly allowed: boolean;
  readonly missingPermission: string | null;
  /** Runs that take it back, the latest first. */
  readonly undoneBy: readonly {
    readonly runId: string;
    readonly by: string;
    readonly at: Timestamp;
  }[];
}
/** The document has no undo; it is an undo itself; it took effect nowhere; it was taken back everywhere. */
export type UndoHindrance = 'no-undo' | 'is-undo' | 'no-effect' | 'undone';
