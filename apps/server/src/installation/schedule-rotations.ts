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
  /** 0: started only by an operator. */
  readonly maxAgeDays: number;
  /** @param begin false continues a rotation in progress and starts none */
  readonly rotate: (begin: boolean) => Promise<RotationOutcome>;
}

interface RotationJobDeps extends Pick<RotationDeps, 'database' | 'clock'> {
  readonly logger: Logger;
}

/** Starts rotations that are due and continues those in progress, whichever process started them. */
export function scheduleRotations(
  deps: RotationJobDeps & { readonly jobs: Jobs },
  rotations: readonly ScheduledRotation[],
): void {
  const job = defineJob(
    'installation-rotate-secrets',
    z.object({}),
    async () => {
      // If another server or a command is rotating, nothing is left to do.
      const faults = await withRotationLock(deps.database, () => continueAll(deps, rotations));
      if (faults !== undefined && faults.length > 0) throw new AggregateError(faults);
    },
    { timeoutSeconds: 14_400, retries: 0 },
  );
  deps.jobs.define(job);
  deps.jobs.schedule(job, '47 * * * *', {});
}

/** A failed rotation does not block the others. */
async function continueAll(
  deps: RotationJobDeps,
  rotations: readonly ScheduledRotation[],
): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  for (const rotation of rotations) {
    await continueRotation(deps, rotation).catch((error: unknown) => faults.push(error));
  }
  return faults;
}

async function continueRotation(
  { database, clock, logger }: RotationJobDeps,
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
