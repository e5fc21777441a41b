import { setTimeout as sleep } from 'node:timers/promises';
import type { Composition } from './composition.ts';
import { runFleetCountRound } from '../fleet-counts/run-fleet-count-round.ts';
import { countPlaces } from '../locations/count-places.ts';
import { repeat } from '../platform/process/repeat.ts';

const EVERY_MS = 1_000;
/** Pause between batches of a full count, so that requests are not delayed. */
const REST_MS = 100;

/** Updates the counters of the map and of the fleet in the background. */
export function composeCounters({ platform, resources, clock }: Composition): void {
  const { database, logger } = platform;
  let stopping = false;
  for (const [count, failed] of [
    [countPlaces, 'location count failed'],
    [runFleetCountRound, 'fleet count failed'],
  ] as const) {
    resources.use(
      repeat(
        async () => {
          while (!stopping && (await count({ database, clock }))) await sleep(REST_MS);
        },
        { everyMs: EVERY_MS, onError: (error) => logger.warn({ err: error }, failed) },
      ),
    );
  }
  // Deferred after the repeated jobs, so that it runs first: stopping does not wait for a full
  // count.
  resources.defer(() => {
    stopping = true;
  });
}
