/**
 * Tests of a document's text on a simulated device. No real device is affected, and drafts can be
 * tested.
 */

import { z } from 'zod';
import type { StepPhase } from './document-phases.ts';
import type { StatusDetails, StepState } from '../states.ts';
import { versionNumberSchema } from '../versions/version-number.ts';

/** Models of the simulated fleet. */
export const testModels = ['K200', 'K310', 'T100', 'G5', 'D55', 'S12', 'L24'] as const;
/** Faults of a simulated device. */
export const testFaults = ['disk', 'network', 'crash', 'clock', 'version', 'memory'] as const;

export const testDocumentInput = z.object({
  /** Name of the document, for the audit trail. Empty if it has no name yet. */
  name: z.string().max(128).default(''),
  /** Null for a text that is not saved. */
  version: versionNumberSchema.nullable().default(null),
  content: z.string().max(256 * 1024),
  phasesText: z
    .string()
    .max(256 * 1024)
    .default(''),
  parameters: z.record(z.string(), z.unknown()).default({}),
  model: z.enum(testModels),
  fault: z.enum(testFaults).nullable().default(null),
  /** Whether to run the undo steps afterwards, if there are any. */
  undo: z.boolean().default(false),
});

/** Events in order. Times are relative to the start, on the simulated device's clock. */
export type DocumentTestEvent = { readonly atMs: number } & (
  | {
      readonly kind: 'step';
      readonly isUndo: boolean;
      readonly index: number;
      readonly name: string;
      readonly phase: StepPhase;
      readonly state: StepState;
      readonly exitCode: number | null;
      readonly reason: string | null;
    }
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** The script as sent to the device, with all values substituted. */
  | { readonly kind: 'script'; readonly step: string; readonly text: string }
  /** A step that cannot be simulated counts as successful; `what` describes it. */
  | { readonly kind: 'not-simulated'; readonly step: string; readonly what: string }
  | { readonly kind: 'event'; readonly type: string }
  | {
      readonly kind: 'result';
      readonly isUndo: boolean;
      readonly statusDetails: StatusDetails;
      readonly responseCode: number;
    }
);

/** A changed attribute of the device; null if it does not exist. */
export interface DocumentTestChange {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface DocumentTest {
  readonly events: readonly DocumentTestEvent[];
  /** All changes, including those of an undo. */
  readonly changes: readonly DocumentTestChange[];
  /** Whether further events were omitted. */
  readonly truncated: boolean;
}
