import { and, eq } from 'drizzle-orm';
import type { StepAttempt } from '../air-blast-record.ts';
import { airBlastWave } from '../air-blast-tables.ts';

/** The waves of an attempt of a step. */
export const isWaveOf = ({ id, revision, step, attempt }: StepAttempt) =>
  and(
    eq(airBlastWave.airBlastId, id),
    eq(airBlastWave.revision, revision),
    eq(airBlastWave.step, step),
    eq(airBlastWave.attempt, attempt),
  );
