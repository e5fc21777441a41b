import { eq, exists, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { airBlastWave } from './air-blast-tables.ts';

/** Whether the run with this idempotency key is a wave of a rollout. */
export const isStageRun = (idempotencyKey: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ wave: airBlastWave.wave })
      .from(airBlastWave)
      .where(eq(airBlastWave.runKey, idempotencyKey)),
  );
