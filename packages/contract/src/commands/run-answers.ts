import { z } from 'zod';
import { nameSchema } from '../name-schema.ts';
import { idSchema } from '../ids.ts';
import type { StatusDetails } from '../states.ts';

/**
 * A distinct answer of a run: the same end, exit code and output, where times, ids, addresses and the device's own
 * names do not count.
 */
export interface RunAnswer {
  readonly sha256: string;
  readonly statusDetails: StatusDetails;
  readonly responseCode: number | null;
  /** Devices within the viewer's scope that gave it. */
  readonly count: number;
  /** The beginning of the normalised output; `getAnswer` has more. */
  readonly text: string;
  /** The first devices that gave it. */
  readonly sample: readonly {
    readonly invocationId: string;
    readonly serialNumber: string | null;
    readonly name: string;
  }[];
}

export interface RunAnswers {
  /** The most frequent first, at most 100. */
  readonly answers: readonly RunAnswer[];
  /** Distinct answers altogether. */
  readonly distinct: number;
  /** Invocations that have ended and are not among the answers yet: ask again. */
  readonly unread: number;
}

export const answerReferenceInput = z.object({
  runId: idSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const keepAnswerInput = answerReferenceInput.extend({
  name: nameSchema({ max: 80 }),
});

/** A saved view of the devices that gave an answer, and their list. */
export interface KeptAnswer {
  readonly viewId: string;
  readonly targetListId: string;
  readonly devices: number;
  /** Lists hold serial numbers: devices without one are not on it. */
  readonly withoutSerialNumber: number;
}
