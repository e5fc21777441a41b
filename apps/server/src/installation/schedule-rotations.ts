import type { SecretName } from '@deviceportal/contract/installation';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/logging.ts';
import { readRecordedSecrets } from './data/installation-queries.ts';
import type { RotationDeps, RotationOutcome } from './rotation-deps.ts';
import { withRotationLock } from './with-rotation-lock.ts';

const DAY_MS = 86_400_000;

export interface ScheduledRotation {
  readonly name: SecretName;
  /** 0: begun by a person only. */
  readonly maxAgeDays: number;
  /** @param begin false goes on with what has begun */
  readonly rotate: (begin: boolean) => Promise<RotationOutcome>;
}

interface GoOnDeps extends Pick<RotationDeps, 'database' | 'clock'> {
  readonly logger: Logger;
}

/** Begins rotations whose time has come and goes on with those that have begun, by whomever. */
export function scheduleRotations(
  deps: GoOnDeps & { readonly jobs: Jobs },
  rotations: readonly ScheduledRotation[],
): void {
  const job = defineJob(
    'installation-rotate-secrets',
    z.object({}),
    async () => {
      // Where another server or a command rotates already, nothing is left to do.
      const faults = await withRotationLock(deps.database, () => goOnWithAll(deps, rotations));
      if (faults !== undefined && faults.length > 0) throw new AggregateError(faults);
    },
    { timeoutSeconds: 14_400, retries: 0 },
  );
  deps.jobs.define(job);
  deps.jobs.schedule(job, '47 * * * *', {});
}

/** One that fails does not hold up the others. */
async function goOnWithAll(
  deps: GoOnDeps,
  rotations: readonly ScheduledRotation[],
): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  for (const rotation of rotations) {
    await goOn(deps, rotation).catch((error: unknown) => faults.push(error));
  }
  return faults;
}

async function goOn(
  { database, clock, logger }: GoOnDeps,
  { name, maxAgeDays, rotate }: ScheduledRotation,
): Promise<void> {
  const recorded = (await readRecordedSecrets(database.orm)).find((each) => each.name === name);
  const ageMs = clock().getTime() - (recorded?.since.getTime() ?? clock().getTime());
  const outcome = await rotate(maxAgeDays > 0 && ageMs >= maxAgeDays * DAY_MS);
  if (outcome.kind === 'asks') {
    const { request } = outcome;
    logger.warn({ secret: name, request }, 'rotation waiting for external broker');
  }
  if (outcome.kind === 'pends') {
    logger.info({ secret: name, reason: outcome.reason }, 'rotation deferred');
  }
  if (outcome.kind === 'waits') {
    const { servers, file } = outcome;
    logger.warn({ secret: name, servers, file }, 'rotation waiting for servers without the secret');
  }
}
