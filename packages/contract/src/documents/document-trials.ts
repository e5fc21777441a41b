/** A dry run of a document's text on a simulated device: nothing real is touched, and drafts may be tried. */

import { z } from 'zod';
import type { StepPhase } from './document-phases.ts';
import type { StatusDetails, StepState } from '../states.ts';
import { versionNumberSchema } from '../versions/version-number.ts';

/** Models of the simulated fleet. */
export const trialModels = ['K200', 'K310', 'T100', 'G5', 'D55', 'S12', 'L24'] as const;
/** What can be wrong with a simulated device. */
export const trialFaults = ['disk', 'network', 'crash', 'clock', 'version', 'memory'] as const;

export const tryDocumentInput = z.object({
  /** Of which document; for the audit trail. Empty while it has no name. */
  name: z.string().max(128).default(''),
  /** Null: a text that is not kept. */
  version: versionNumberSchema.nullable().default(null),
  content: z.string().max(256 * 1024),
  phasesText: z
    .string()
    .max(256 * 1024)
    .default(''),
  parameters: z.record(z.string(), z.unknown()).default({}),
  model: z.enum(trialModels),
  fault: z.enum(trialFaults).nullable().default(null),
  /** Whether it is taken back afterwards, where it has an undo. */
  undo: z.boolean().default(false),
});

/** What happened, in order; times count from the beginning, on the simulated device's own clock. */
export type TrialEvent = { readonly atMs: number } & (
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
  /** The script as the device gets it, with every value in its place. */
  | { readonly kind: 'script'; readonly step: string; readonly text: string }
  /** What a simulated device cannot play is taken as done; it is said what that was. */
  | { readonly kind: 'not-simulated'; readonly step: string; readonly what: string }
  | { readonly kind: 'event'; readonly type: string }
  | {
      readonly kind: 'result';
      readonly isUndo: boolean;
      readonly statusDetails: StatusDetails;
      readonly responseCode: number;
    }
);

/** A fact of the device that is another one afterwards; null where it is not there. */
export interface TrialChange {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface DocumentTrial {
  readonly events: readonly TrialEvent[];
  /** Over all, an undo included. */
  readonly changes: readonly TrialChange[];
  /** More happened than is told. */
  readonly truncated: boolean;
}
