import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './composition.ts';
import { moveFindings } from '../findings/move-findings.ts';
import { scheduleFleetTrend } from '../findings/record-fleet-trend.ts';
import { repeat } from '../platform/process/repeat.ts';

const EVERY_MS = 1_000;
/** A rest after each round of a long look at everything: it must not keep requests waiting. */
const REST_MS = 200;

/** What keeps the findings true, beside the requests. */
export function composeFindings({ platform, resources, clock }: Composition): void {
  const { config, database, changes, logger, jobs } = platform;
  const deps = {
    ...{ database, clock, changes },
    ruleSettings: { supportedCountries: config.supportedCountries },
  };
  scheduleFleetTrend({ database, clock, jobs });
  let stopping = false;
  resources.use(
    repeat(
      async () => {
        while (!stopping && (await moveFindings(deps))) await sleep(REST_MS);
      },
      {
        everyMs: EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'findings evaluation failed'),
      },
    ),
  );
  // Before the line above waits for its round: a stop does not wait for a look at everything.
  resources.defer(() => {
    stopping = true;
  });
}
