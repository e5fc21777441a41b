import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { idSchema } from '../ids.ts';
import { runReferenceInput } from './runs.ts';
import type { StatusDetails } from '../states.ts';

/**
 * A distinct output of a run: invocations with the same status, exit code, and output, ignoring
 * times, IDs, addresses, and the device's own names.
 */
export interface RunAnswer {
  /** Identifies the output; in ranges, the group of outputs. */
  readonly sha256: string;
  /** Number of distinct outputs in the group; 1 unless numbers are grouped into ranges. */
  readonly outputs: number;
  readonly statusDetails: StatusDetails;
  readonly responseCode: number | null;
  /** Number of devices within the viewer's scope. */
  readonly count: number;
  /** The start of the normalized output; `getAnswer` returns more. */
  readonly text: string;
  /** The first devices with this output. */
  readonly sample: readonly {
    readonly invocationId: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}

export interface RunAnswers {
  /** At most 100, by number of devices. */
  readonly answers: readonly RunAnswer[];
  /** Number of distinct outputs. */
  readonly distinct: number;
  /** Finished invocations that are not included yet; call again. */
  readonly unread: number;
}

export const listAnswersInput = runReferenceInput.extend({
  /** Groups outputs that differ only in numbers of the same range, such as 10–19% of a disk. */
  ranges: z.boolean().default(false),
});

export const answerReferenceInput = z.object({
  runId: idSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const keepAnswerInput = answerReferenceInput.extend({
  name: nameSchema({ max: 80 }),
});

/** A saved view of the devices with an output, and its device list. */
export interface KeptAnswer {
  readonly viewId: string;
  readonly targetListId: string;
  readonly devices: number;
  /** Devices without a serial number, which cannot be part of the list. */
  readonly withoutSerialNumber: number;
}
