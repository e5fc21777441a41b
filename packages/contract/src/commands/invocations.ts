import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { momentSchema } from '../moment.ts';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';
import type { Consequence } from '../access/permissions.ts';
import type { StepPhase } from '../documents/document-phases.ts';
import type { InvocationState, StatusDetails, StepState } from '../states.ts';

export interface InvocationRow {
  readonly id: string;
  readonly runId: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly serialNumber: string | null;
  readonly instanceId: string | null;
  readonly state: InvocationState;
  readonly statusDetails: StatusDetails;
  readonly attempt: number;
  readonly responseCode: number | null;
  readonly queuedAt: Timestamp;
  readonly sentAt: Timestamp | null;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly createdBy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The first 2,500 characters, secrets masked. */
  readonly outputPreview: string;
}

export interface InvocationStep {
  readonly index: number;
  readonly name: string;
  readonly action: string;
  readonly phase: StepPhase;
  readonly state: StepState;
  readonly exitCode: number | null;
  readonly startedAt: Timestamp | null;
  readonly endedAt: Timestamp | null;
  readonly reason: string | null;
}

export interface InvocationArtifact {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /**
   * Whether the device's journal has the same digest. A file that `differs` cannot be downloaded.
   */
  readonly digest: 'reported' | 'unreported' | 'differs';
  /** Signed URL, valid for one hour. */
  readonly downloadUrl: string;
}

export interface InvocationDetail extends InvocationRow {
  readonly steps: readonly InvocationStep[];
  readonly stdout: OutputPiece;
  readonly stderr: OutputPiece;
  readonly artifacts: readonly InvocationArtifact[];
  readonly deviceOnline: boolean;
  readonly deliverBefore: Timestamp;
  readonly expiresAt: Timestamp;
  readonly consequence: Consequence;
  readonly comment: string;
  /** The run that this run undoes; null if it is not an undo. */
  readonly undoes: string | null;
  /**
   * Condition of 5001: no report for ten minutes while not final and the device is not known to be
   * offline. The state itself is unchanged.
   */
  readonly waitFailed: boolean;
}

/** Part of a stream from `offset` (UTF-16 code units); `total` is the length received so far. */
export interface OutputPiece {
  readonly offset: number;
  readonly text: string;
  readonly total: number;
  /** Truncated at the limit of 10 MiB. */
  readonly truncated: boolean;
}

export const getInvocationInput = z.object({
  id: idSchema,
  /** Return only what follows these offsets. */
  stdoutFrom: z.int().nonnegative().default(0),
  stderrFrom: z.int().nonnegative().default(0),
});

export const listInvocationsInput = z.object({
  runId: idSchema.nullable().default(null),
  deviceId: idSchema.nullable().default(null),
  states: z.array(z.string().max(32)).max(20).default([]),
  /** Only invocations that were queued before; all if absent. */
  queuedBefore: momentSchema.optional(),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});
