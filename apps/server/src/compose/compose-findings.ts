import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './composition.ts';
import { runFindingsRound } from '../findings/run-findings-round.ts';
import { scheduleFleetTrend } from '../findings/record-fleet-trend.ts';
import { repeat } from '../platform/process/repeat.ts';

const EVERY_MS = 1_000;
/** Pause between batches of a full evaluation, so that requests are not delayed. */
const REST_MS = 200;

/** Updates findings in the background. */
export function composeFindings({ platform, resources, clock, named }: Composition): void {
  const { database, changes, logger, jobs } = platform;
  const deps = {
    ...{ database, clock, changes },
    ruleSettings: named,
  };
  scheduleFleetTrend({ database, clock, jobs });
  let stopping = false;
  resources.use(
    repeat(
      async () => {
        while (!stopping && (await runFindingsRound(deps))) await sleep(REST_MS);
      },
      {
        everyMs: EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'findings evaluation failed'),
      },
    ),
  );
  // Deferred after the repeated job, so that it runs first: stopping does not wait for a full
  // evaluation.
  resources.defer(() => {
    stopping = true;
  });
}
